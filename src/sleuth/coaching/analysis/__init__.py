"""One position looked at from all sides: any guess tried, every word left, the whole strategy."""
