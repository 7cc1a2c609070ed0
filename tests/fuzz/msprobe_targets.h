#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/dumps/msprobe/dump_json.h"
#include "core/dumps/msprobe/entry_name.h"
#include "tests/fuzz/fuzz_input.h"

/// What the fuzzers do with the files of msprobe, one by one.
namespace ulp::dumps::msprobe {

/// What comes out of dump.json must hold together.
inline void fuzzDumpJson(const std::uint8_t* data, std::size_t size) {
  const auto dump = parseDumpJson(fuzzText(data, size), "dump.json");
  if (!dump) {
    return;
  }
  std::size_t records = 0;
  for (const EntryRecords& entry : dump->entries) {
    require(entry.first == records);
    records += entry.count;
    static_cast<void>(parseEntryName(entry.name));
  }
  require(records == dump->records.size());
  for (const Record& record : dump->records) {
    require(record.fileName.find('/') == std::string::npos);
  }
}

}  // namespace ulp::dumps::msprobe
