#include "app/cli/sources/inspect_source.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

#include "app/cli/sources/inspect_dumps.h"
#include "app/cli/sources/options.h"
#include "core/base/list_of.h"
#include "core/comparing/align/dump_sides.h"
#include "core/remote/captures/remote_captures.h"
#include "core/report/model/report.h"
#include "core/study/reading/study.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/opening/tensor_file.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using tensors::StoredCapture;

constexpr const char* kReport = "precision_report.json";

bool isHdf5(const fs::path& file) {
  std::array<char, 4> head{};
  std::ifstream(file, std::ios::binary).read(head.data(), head.size());
  return std::string_view(head.data(), head.size()) == "\x89HDF";
}

Result<InspectSource> openCaptures(const fs::path& path, std::vector<std::string>& warnings) {
  const auto reader = ULP_TRY(remote::openCaptures(path));
  for (const Error& problem : reader->problems()) {
    warnings.push_back(problem.message());
  }
  InspectSource source{
      .read = [reader](std::size_t index) { return reader->look(reader->captures()[index]); },
      .hasRuns = true,
      .isOnHost = remote::hasRemoteCaptures(path)};
  for (const StoredCapture& capture : reader->captures()) {
    const StoredCapture* const reference = capture.run == study::kReferenceName
                                               ? nullptr
                                               : reader->find(study::kReferenceName, capture.site);
    InspectItem item{.run = capture.run,
                     .site = capture.site,
                     .storedAs = std::string(toString(capture.dtype)),
                     .shape = capture.shape,
                     .sampleStride = capture.sampleStride};
    if (reference != nullptr) {
      item.reference = static_cast<std::size_t>(reference - reader->captures().data());
    }
    source.items.push_back(std::move(item));
  }
  return source;
}

Result<InspectSource> openArchive(const fs::path& path) {
  std::error_code ignored;
  const tensors::TensorArchivePtr archive = ULP_TRY(
      fs::is_directory(path, ignored) ? tensors::openWeights(path) : tensors::openTensorFile(path));
  InspectSource source{.read = [archive](std::size_t index) {
    return archive->read(archive->tensors()[index].name);
  }};
  for (const tensors::TensorInfo& info : archive->tensors()) {
    // A file of one tensor need not name it.
    const std::string name = info.name.empty() ? archive->path().stem().string() : info.name;
    source.items.push_back({.run = "",
                            .site = {.name = name, .module = ""},
                            .storedAs = info.storedAs,
                            .shape = info.shape});
  }
  return source;
}

std::vector<std::string> runsOf(const InspectSource& source) {
  std::vector<std::string> names;
  for (const InspectItem& item : source.items) {
    if (std::ranges::find(names, item.run) == names.end()) {
      names.push_back(item.run);
    }
  }
  return names;
}

Result<> checkQuery(const InspectSource& source, const InspectQuery& query) {
  if (!source.hasRuns && !(query.run.empty() && query.pass.empty())) {
    return fail(ErrorCode::InvalidArgument,
                "--run and --pass choose tensors of a study; this file has no runs");
  }
  const auto runs = runsOf(source);
  if (!query.run.empty() && std::ranges::find(runs, query.run) == runs.end()) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("--run: no tensors of a run '{}'; there are {}",
                            query.run,
                            runs.empty() ? "none" : fmt::format("{}", fmt::join(runs, ", "))));
  }
  if (!query.pass.empty()) {
    ULP_TRY(passNamed(query.pass));
  }
  return {};
}

tl::unexpected<Error> unknownTensor(const InspectSource& source, const std::string& name) {
  const std::vector<tensors::TensorInfo> infos = listOf(source.items, [](const InspectItem& item) {
    return tensors::TensorInfo{item.site.name, {}, DType::Float32, ""};
  });
  const std::string_view nearest = tensors::nearestName(name, infos);
  return fail(ErrorCode::NotFound,
              fmt::format("no tensor '{}'{}; run without a name to list them",
                          name,
                          nearest.empty() ? "" : fmt::format("; did you mean '{}'?", nearest)));
}

}  // namespace

Result<InspectSource> openInspectSource(const fs::path& path, std::vector<std::string>& warnings) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) {
    // Elements without a header may have their type and shape behind the name.
    if (analysis::isDump(path)) {
      return inspectDump(path, warnings);
    }
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file or folder", path.string()));
  }
  const bool isFolder = fs::is_directory(path, ignored);
  const bool isReport = path.filename() == kReport || fs::exists(path / kReport, ignored);
  const fs::path folder = isFolder ? path : path.parent_path();
  const bool hasCaptures =
      fs::exists(folder / "tensors.h5", ignored) || remote::hasRemoteCaptures(folder);
  if (hasCaptures && (isFolder || isReport)) {
    return openCaptures(folder, warnings);
  }
  if (isReport || path.extension() == ".json") {
    const auto loaded = report::loadReport(path);
    if (loaded && loaded->report->dumps) {
      return inspectReport(*loaded->report);
    }
    if (loaded && hasCaptures) {
      return openCaptures(folder, warnings);
    }
    if (loaded) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: the study kept no tensors (capture.tensors: none); run it with "
                              "capture.tensors: full; `ulpscope-cli report` shows its metrics",
                              path.string()));
    }
    if (isReport) {
      return tl::make_unexpected(loaded.error());
    }
  }
  auto archive = openArchive(path);
  if (archive && isHdf5(path)) {
    // A file of captures knows its runs; any other is what it is.
    if (auto captures = openCaptures(path, warnings)) {
      return captures;
    }
  }
  if (archive || !analysis::isDump(path)) {
    return archive;
  }
  auto dump = inspectDump(path, warnings);
  // Lists of dumps are JSON; what is wrong with another file its own reader says best.
  const bool isTensorFile = !isFolder && path.extension() != ".json";
  return !dump && isTensorFile ? std::move(archive) : std::move(dump);
}

Result<std::vector<std::size_t>> itemsLike(const InspectSource& source, const InspectQuery& query) {
  ULP_TRY(checkQuery(source, query));
  const auto pass = parsePass(query.pass);
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < source.items.size(); ++i) {
    const InspectItem& item = source.items[i];
    if ((query.name.empty() || item.site.name == query.name) &&
        (query.run.empty() || item.run == query.run) && (!pass || item.site.pass == *pass)) {
      found.push_back(i);
    }
  }
  return found;
}

Result<std::vector<std::size_t>> findItems(const InspectSource& source, const InspectQuery& query) {
  auto found = ULP_TRY(itemsLike(source, query));
  const auto isNamed = [&](const InspectItem& item) { return item.site.name == query.name; };
  if (!query.name.empty() && std::ranges::none_of(source.items, isNamed)) {
    return unknownTensor(source, query.name);
  }
  if (found.empty() && !query.name.empty()) {
    return fail(ErrorCode::NotFound,
                fmt::format("tensor '{}' was not kept for run '{}' and pass '{}'",
                            query.name,
                            query.run.empty() ? "any" : query.run,
                            query.pass.empty() ? "any" : query.pass));
  }
  return found;
}

}  // namespace ulp::cli
