#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <tuple>
#include <utility>

#include "core/dumps/importers/importer.h"
#include "core/dumps/importers/recording_unit.h"
#include "core/dumps/model/folders.h"

namespace ulp::dumps {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchema = "ulpscope.recording/1";
constexpr std::string_view kIndex = "index.jsonl";

/// Indices of a recording, of one of its steps, of one rank of it, or the index itself.
std::vector<fs::path> indicesAt(const fs::path& path) {
  if (path.filename() == kIndex && isFile(path)) {
    return {path};
  }
  std::vector<fs::path> ranks{path};
  for (const fs::path& rank : foldersIn(path, "rank")) {
    ranks.push_back(rank);
  }
  for (const fs::path& step : foldersIn(path, "step")) {
    for (const fs::path& rank : foldersIn(step, "rank")) {
      ranks.push_back(rank);
    }
  }
  std::vector<fs::path> indices;
  for (const fs::path& rank : ranks) {
    if (isFile(rank / kIndex)) {
      indices.push_back(rank / kIndex);
    }
  }
  return indices;
}

class Recording final : public Dump {
 public:
  explicit Recording(const fs::path& opened) {
    importer = "ulpscope_recording";
    format = "recording of Ulpscope";
    path = opened;
  }

  Result<> add(const fs::path& index) {
    const auto head = readRecordingHead(index);
    if (!head) {
      notes.push_back(fmt::format("{}: line 1: is no head of a recording; copy the file again",
                                  index.string()));
      return {};
    }
    if (head->schema != kSchema) {
      return fail(ErrorCode::Unsupported,
                  fmt::format("{}: line 1: is of {}, and {} is known; use the "
                              "ulpscope_recorder.py that came with this Ulpscope",
                              index.string(),
                              head->schema,
                              kSchema));
    }
    if (head->isStatisticsOnly) {
      format = "recording of Ulpscope, statistics";
    }
    units.push_back({.axes = head->axes, .path = index.parent_path()});
    return {};
  }

  void sortUnits() {
    std::stable_sort(units.begin(), units.end(), [](const UnitInfo& a, const UnitInfo& b) {
      return std::tie(a.axes.step, a.axes.rank) < std::tie(b.axes.step, b.axes.rank);
    });
  }

  [[nodiscard]] Result<DumpUnitPtr> openUnit(std::size_t unit,
                                             const std::stop_token& stop,
                                             const Progress& progress) const override {
    return openRecordingUnit(units[unit].path / kIndex, units[unit].axes, stop, progress);
  }
};

/// "step3/rank0/index.jsonl", where the recorder puts it.
bool isUnmistakable(const fs::path& index) {
  const auto isNumbered = [](const fs::path& folder, std::string_view prefix) {
    const std::string name = folder.filename().string();
    return name.starts_with(prefix) && name.size() > prefix.size() &&
           name.find_first_not_of("0123456789", prefix.size()) == std::string::npos;
  };
  const fs::path rank = fs::absolute(index).lexically_normal().parent_path();
  return isNumbered(rank, "rank") && isNumbered(rank.parent_path(), "step");
}

Claim recogniseRecording(const fs::path& path) {
  const std::vector<fs::path> indices = indicesAt(path);
  const bool isRecording = std::any_of(indices.begin(), indices.end(), [](const fs::path& index) {
    return readRecordingHead(index).has_value();
  });
  if (isRecording) {
    return Claim::Certain;
  }
  const bool isDamaged = std::any_of(indices.begin(), indices.end(), [](const fs::path& index) {
    return isUnmistakable(index) && isRecordingHeadBroken(index);
  });
  return isDamaged ? Claim::Damaged : Claim::No;
}

Result<DumpPtr> openRecording(const fs::path& path, const std::stop_token& stop) {
  auto dump = std::make_shared<Recording>(path);
  for (const fs::path& index : indicesAt(path)) {
    if (stop.stop_requested()) {
      return fail(ErrorCode::Cancelled, "opening a recording was cancelled");
    }
    ULP_TRY(dump->add(index));
  }
  if (dump->units.empty() && !dump->notes.empty()) {
    return fail(ErrorCode::CorruptData, dump->notes.front());
  }
  if (dump->units.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: holds no step*/rank*/{} of a recording", path.string(), kIndex));
  }
  dump->sortUnits();
  return dump;
}

}  // namespace

void registerUlpscopeRecording(ImporterRegistry& registry) {
  registry.add({"ulpscope_recording",
                "recording of a PyTorch program (ulpscope_recorder.py)",
                recogniseRecording,
                openRecording});
}

}  // namespace ulp::dumps
