"""Games of another kind: several boards, hosts that lie, hosts that choose the answer to be hard."""
