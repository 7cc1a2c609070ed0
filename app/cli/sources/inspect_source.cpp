#include "app/cli/sources/inspect_source.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>

#include "app/cli/sources/options.h"
#include "core/base/list_of.h"
#include "core/remote/captures/remote_captures.h"
#include "core/tensors/archive/name_index.h"
#include "core/tensors/opening/tensor_file.h"
#include "core/tensors/store/capture_reader.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;

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
      .read = [reader](std::size_t index) { return reader->read(reader->captures()[index]); },
      .hasRuns = true};
  for (const tensors::StoredCapture& capture : reader->captures()) {
    source.items.push_back({capture.run,
                            capture.site.pass,
                            capture.site.name,
                            std::string(toString(capture.dtype)),
                            capture.shape,
                            capture.sampleStride});
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
    source.items.push_back({"", Pass::Forward, name, info.storedAs, info.shape, 1});
  }
  return source;
}

std::vector<std::string> distinct(const std::vector<InspectItem>& items,
                                  std::string InspectItem::*member) {
  std::vector<std::string> names;
  for (const InspectItem& item : items) {
    const std::string& name = item.*member;
    if (std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  return names;
}

Result<> checkQuery(const InspectSource& source, const InspectQuery& query) {
  if (!source.hasRuns && !(query.run.empty() && query.pass.empty())) {
    return fail(ErrorCode::InvalidArgument,
                "--run and --pass choose tensors of a study; this file has no runs");
  }
  const auto runs = distinct(source.items, &InspectItem::run);
  if (!query.run.empty() && std::ranges::find(runs, query.run) == runs.end()) {
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format(
            "--run: no tensors of a run '{}'; there are {}", query.run, fmt::join(runs, ", ")));
  }
  if (!query.pass.empty()) {
    ULP_TRY(passNamed(query.pass));
  }
  return {};
}

tl::unexpected<Error> unknownTensor(const InspectSource& source, const std::string& name) {
  const std::vector<tensors::TensorInfo> infos =
      listOf(distinct(source.items, &InspectItem::name), [](const std::string& known) {
        return tensors::TensorInfo{known, {}, DType::Float32, ""};
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
    return fail(ErrorCode::NotFound, fmt::format("{}: no such file or folder", path.string()));
  }
  const bool isReport = path.filename() == "precision_report.json";
  const fs::path folder = isReport ? path.parent_path() : path;
  if (fs::exists(folder / "tensors.h5", ignored) || remote::hasRemoteCaptures(folder)) {
    return openCaptures(folder, warnings);
  }
  if (isReport || fs::exists(path / "precision_report.json", ignored)) {
    return fail(ErrorCode::NotFound,
                fmt::format("{}: the study kept no tensors (capture.tensors: none); `ulpscope-cli "
                            "report` shows its metrics",
                            path.string()));
  }
  auto archive = openArchive(path);
  if (archive && isHdf5(path)) {
    // A file of captures knows its runs; any other is what it is.
    if (auto captures = openCaptures(path, warnings)) {
      return captures;
    }
  }
  return archive;
}

Result<std::vector<std::size_t>> findItems(const InspectSource& source, const InspectQuery& query) {
  ULP_TRY(checkQuery(source, query));
  const auto pass = parsePass(query.pass);
  std::vector<std::size_t> found;
  bool isKnown = query.name.empty();
  for (std::size_t i = 0; i < source.items.size(); ++i) {
    const InspectItem& item = source.items[i];
    const bool isNamed = query.name.empty() || item.name == query.name;
    isKnown = isKnown || isNamed;
    if (isNamed && (query.run.empty() || item.run == query.run) && (!pass || item.pass == *pass)) {
      found.push_back(i);
    }
  }
  if (!isKnown) {
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
