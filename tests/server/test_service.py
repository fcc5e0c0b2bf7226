"""What is behind the doors: each format of labels is read in its own way."""

import asyncio
from pathlib import Path

from feverfew.render.audit import Settings
from feverfew.server.service import Service
from feverfew.types import Claim, Prediction


def test_a_format_is_read_in_its_own_way(sample_path: Path) -> None:
    async def main() -> tuple[list[str], list[Prediction]]:
        service = await Service.open(Settings(str(sample_path)))
        claims = [Claim(id=1, text="Fritz Lang was born in 1975.")]
        made = [(await service.predict(claims, name))[0] for name in ("fever", "hover", "feverous")]
        readings = [checker.judge.policy.name for checker in service.snapshot.checkers.values()]
        await service.close()
        return readings, made

    readings, made = asyncio.run(main())
    assert readings == ["fever", "feverous"]
    assert [prediction.id for prediction in made] == [1, 1, 1]
