#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/dumps/msprobe/dump_json.h"
#include "core/dumps/msprobe/entry_name.h"
#include "tests/fuzz/fuzz_input.h"

namespace ulp::test {

/// What comes out of dump.json must hold together.
inline void fuzzMsprobe(const std::uint8_t* data, std::size_t size) {
  const auto dump = dumps::msprobe::parseDumpJson(fuzzText(data, size), "dump.json");
  if (!dump) {
    return;
  }
  std::size_t records = 0;
  for (const dumps::msprobe::EntryRecords& entry : dump->entries) {
    require(entry.first == records);
    records += entry.count;
    static_cast<void>(dumps::msprobe::parseEntryName(entry.name));
  }
  require(records == dump->records.size());
  for (const dumps::msprobe::Record& record : dump->records) {
    require(record.fileName.find('/') == std::string::npos);
  }
}

}  // namespace ulp::test
