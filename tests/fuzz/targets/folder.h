#pragma once

#include <cstddef>
#include <cstdint>

#include "core/dumps/importers/importer.h"
#include "tests/fuzz/fuzz_bytes.h"
#include "tests/fuzz/fuzz_folder.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// What every importer promises of a unit; tensors that cannot be read must say why.
inline void checkUnit(const dumps::DumpUnit& unit) {
  for (const dumps::DumpEntry& entry : unit.entries) {
    require(entry.firstRow <= unit.rows.size());
    require(entry.rowCount <= unit.rows.size() - entry.firstRow);
    require(entry.parent == dumps::kNone || entry.parent < unit.entries.size());
    require(entry.stack == dumps::kNone || entry.stack < unit.stacks.size());
  }
  for (std::size_t row = 0; row < unit.rows.size(); ++row) {
    const auto tensor = unit.read(row);
    if (tensor) {
      require(unit.rows[row].hasElements);
      touch(*tensor);
    } else {
      require(!tensor.error().message().empty());
    }
  }
}

/// A folder of files, opened as whatever importer takes it for.
inline void fuzzFolder(const std::uint8_t* data, std::size_t size) {
  static RefilledFolder folder;
  folder.refill(fuzzText(data, size));
  const auto dump = dumps::openDump(folder.path());
  if (!dump) {
    require(!dump.error().message().empty());
    return;
  }
  for (std::size_t unit = 0; unit < (*dump)->units.size(); ++unit) {
    if (const auto opened = (*dump)->openUnit(unit)) {
      checkUnit(**opened);
    }
  }
}

}  // namespace ulp::test
