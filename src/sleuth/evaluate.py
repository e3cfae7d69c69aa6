from sleuth.evaluation import *  # noqa: F403  temporary
