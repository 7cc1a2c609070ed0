#include <algorithm>
#include <fmt/format.h>
#include <map>

#include "core/base/files/atomic_file.h"
#include "core/base/list_of.h"
#include "core/base/text/utf8.h"
#include "core/dumps/exporters/dump_exporter.h"
#include "core/dumps/exporters/exported_names.h"
#include "core/json/dump.h"
#include "core/tensors/formats/safetensors/safetensors_stream.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSafetensorsExtension = ".safetensors";
/// Half of what readers take: the sizes below are estimates.
constexpr std::uint64_t kMostHeaderBytes = 50'000'000;
/// As transformers divides its checkpoints.
constexpr std::uint64_t kUsualShardBytes = 5'000'000'000;

/// A tensor that will be written.
struct Planned {
  std::size_t row;
  tensors::TensorInfo info;
  std::uint64_t bytes;
  std::uint64_t headerBytes = 0;
};
using Shard = std::vector<Planned>;

/// About what a tensor takes of the header: its name, and in the metadata what it is; each quote
/// that JSON puts around texts is escaped there.
std::uint64_t headerBytesOf(const Planned& tensor, const DumpEntry& entry) {
  constexpr std::uint64_t kFixed = 300;
  return kFixed + 3 * tensor.info.name.size() + 2 * (entry.name.size() + entry.module.size());
}

/// Names, shapes and types as they are read: the header stands before the elements, and only what
/// can be read may be named there.
Result<Shard> plan(const UnitExport& unit) {
  const std::vector<std::size_t> owners = entriesOfRows(unit.unit);
  Shard planned;
  UniqueNames names;
  // The format has it for itself, and names in UTF-8 alone.
  static_cast<void>(names.make("__metadata__"));
  Conversions conversions;
  RowReader reader(unit);
  std::size_t done = 0;
  for (const std::size_t row : unit.rows) {
    const DumpRow& described = unit.unit.rows[row];
    const DumpEntry& entry = unit.unit.entries[owners[row]];
    ULP_TRY(reader.read(row, [&](const tensors::Tensor& tensor) -> Result<> {
      const numerics::TensorView& view = tensor.view;
      conversions.add(described, view.dtype, view.dtype);
      planned.push_back(
          {row,
           {names.make(validUtf8(exportedName(entry, described))), view.shape, view.dtype, {}},
           view.sizeBytes()});
      planned.back().headerBytes = headerBytesOf(planned.back(), entry);
      return {};
    }));
    unit.progress(++done, 2 * unit.rows.size());
  }
  conversions.note(unit.notes);
  return planned;
}

/// In order, each of at most `most` bytes and of a header that readers take, or of one tensor.
std::vector<Shard> cut(Shard planned, std::uint64_t most) {
  std::vector<Shard> shards(1);
  std::uint64_t bytes = 0;
  std::uint64_t headerBytes = 0;
  for (Planned& tensor : planned) {
    const bool isFull =
        bytes + tensor.bytes > most || headerBytes + tensor.headerBytes > kMostHeaderBytes;
    if (!shards.back().empty() && isFull) {
      shards.emplace_back();
      bytes = 0;
      headerBytes = 0;
    }
    bytes += tensor.bytes;
    headerBytes += tensor.headerBytes;
    shards.back().push_back(std::move(tensor));
  }
  return shards;
}

std::map<std::string, std::string> metadataOf(const UnitExport& unit, const Shard& shard) {
  const std::vector<std::size_t> owners = entriesOfRows(unit.unit);
  std::string rows;
  for (const Planned& tensor : shard) {
    const DumpRow& row = unit.unit.rows[tensor.row];
    const DumpEntry& entry = unit.unit.entries[owners[tensor.row]];
    rows += fmt::format(R"({}{}:{{"entry":{},"module":{},"pass":{},"role":{}}})",
                        rows.empty() ? "" : ",",
                        json::quoted(tensor.info.name),
                        json::quoted(entry.name),
                        json::quoted(entry.module),
                        json::quoted(toString(entry.pass)),
                        json::quoted(toString(row.role)));
  }
  return {{"format", "pt"},
          {"ulpscope.source", unit.dump.path.filename().string()},
          {"ulpscope.source_format", unit.dump.format},
          {"ulpscope.unit", describe(unit.unit.axes)},
          {"ulpscope.rows", "{" + rows + "}"}};
}

Result<> writeShard(const UnitExport& unit,
                    const fs::path& file,
                    Shard shard,
                    std::size_t& done,
                    std::size_t total) {
  // Larger elements first: each tensor is aligned then.
  std::ranges::stable_sort(shard, [](const Planned& a, const Planned& b) {
    return itemSize(a.info.dtype) > itemSize(b.info.dtype);
  });
  auto writer = ULP_TRY(tensors::SafetensorsWriter::create(
      file, listOf(shard, &Planned::info), metadataOf(unit, shard)));
  std::size_t written = 0;
  {
    RowReader reader(unit);
    for (const Planned& tensor : shard) {
      ULP_TRY(reader.read(tensor.row, [&](const tensors::Tensor& read) {
        ++written;
        return writer.write(read.view, read.file.get());
      }));
      unit.progress(++done, total);
    }
  }
  if (written != shard.size()) {
    return fail(ErrorCode::CorruptData,
                fmt::format("{}: changed while it was read; export it again when nothing writes "
                            "to it",
                            unit.dump.path.string()));
  }
  return writer.commit(Durability::WithItsFolder);
}

Result<> writeShards(const UnitExport& unit,
                     std::vector<Shard> shards,
                     std::size_t& done,
                     std::size_t total) {
  std::string places;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < shards.size(); ++i) {
    const std::string name =
        fmt::format("tensors-{:05}-of-{:05}{}", i + 1, shards.size(), kSafetensorsExtension);
    for (const Planned& tensor : shards[i]) {
      places += fmt::format(
          "{}\n    {}: \"{}\"", places.empty() ? "" : ",", json::quoted(tensor.info.name), name);
      bytes += tensor.bytes;
    }
    ULP_TRY(writeShard(unit, unit.folder / name, std::move(shards[i]), done, total));
  }
  const std::string index = fmt::format(
      "{{\n  \"metadata\": {{\n    \"total_size\": {}\n  }},\n  \"weight_map\": {{{}\n  }}\n}}",
      bytes,
      places);
  return writeFileAtomically(unit.folder / "tensors.safetensors.index.json", index);
}

Result<std::size_t> exportSafetensors(const UnitExport& unit) {
  auto planned = ULP_TRY(plan(unit));
  const std::size_t count = planned.size();
  const bool isFile = !unit.file.empty();
  std::vector<Shard> shards =
      isFile ? std::vector<Shard>{std::move(planned)}
             : cut(std::move(planned), unit.options.shardBytes.value_or(kUsualShardBytes));
  // Every row is read twice.
  std::size_t done = unit.rows.size();
  const std::size_t total = done + count;
  const fs::path file = isFile ? unit.file : unit.folder / "tensors.safetensors";
  ULP_TRY(shards.size() > 1 ? writeShards(unit, std::move(shards), done, total)
                            : writeShard(unit, file, std::move(shards.front()), done, total));
  return count;
}

}  // namespace

void registerSafetensors(DumpExporterRegistry& registry) {
  registry.add({.id = "safetensors",
                .title = "safetensors, one file or several with an index",
                .extension = std::string(kSafetensorsExtension),
                .hasShards = true,
                .place = placeOfUnit,
                .write = exportSafetensors});
}

}  // namespace ulp::dumps
