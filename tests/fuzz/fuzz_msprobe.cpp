#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/dumps/msprobe/dump_json.h"
#include "core/dumps/msprobe/entry_name.h"

/// What comes out of dump.json must hold together.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ulp::dumps::msprobe;
  const auto dump = parseDumpJson({reinterpret_cast<const char*>(data), size}, "dump.json");
  if (!dump) {
    return 0;
  }
  std::size_t records = 0;
  for (const EntryRecords& entry : dump->entries) {
    if (entry.first != records) {
      std::abort();
    }
    records += entry.count;
    (void)ulp::dumps::msprobe::parseEntryName(entry.name);
  }
  if (records != dump->records.size()) {
    std::abort();
  }
  for (const Record& record : dump->records) {
    if (record.fileName.find('/') != std::string::npos) {
      std::abort();
    }
  }
  return 0;
}
