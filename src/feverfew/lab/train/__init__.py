"""Train what is in `weights/`; the only package that may import torch."""
