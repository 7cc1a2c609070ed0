#include "views/framework/document/kept_tensors.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <system_error>
#include <utility>

#include "core/base/files/unfinished.h"
#include "core/remote/captures/remote_captures.h"
#include "core/remote/mirror/remote_run.h"
#include "core/tensors/store/capture_layout.h"
#include "core/tensors/store/sample_reader.h"

namespace ulp::views {
namespace {

/// Many tensors are asked for one after the other; the disk is looked at once for all of them.
constexpr std::chrono::milliseconds kFresh{250};

/// Size and time of every file that holds tensors: another text where one was changed, replaced or
/// taken away.
std::string stateOf(const std::filesystem::path& folder) {
  std::string state;
  const auto add = [&state](const std::filesystem::path& file) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(file, failed);
    const auto time = std::filesystem::last_write_time(file, failed);
    if (!failed) {
      state += fmt::format(
          "{}:{}:{}\n", file.filename().string(), size, time.time_since_epoch().count());
    }
  };
  add(folder / tensors::kIndexFile);
  if (remote::hasRemoteCaptures(folder)) {
    // Where they are, they change when the report does.
    add(folder / remote::kRemoteFile);
    add(folder / "precision_report.json");
  }
  std::error_code failed;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(folder / tensors::kRunFolder, failed), end;
       !failed && entry != end;
       entry.increment(failed)) {
    // What a run that goes on writes is not linked yet.
    if (entry->path().extension() != kUnfinishedSuffix) {
      files.push_back(entry->path());
    }
  }
  std::ranges::sort(files);
  std::ranges::for_each(files, add);
  return state;
}

tl::unexpected<Error> unknownRun(const QString& run) {
  return fail(ErrorCode::InvalidArgument, fmt::format("'{}' is not open", run.toStdString()));
}

}  // namespace

bool keepsTensors(const std::filesystem::path& folder) {
  std::error_code ignored;
  return !folder.empty() && (std::filesystem::exists(folder / tensors::kIndexFile, ignored) ||
                             remote::hasRemoteCaptures(folder));
}

Result<KeptTensors::FilePtr> KeptTensors::open(const std::filesystem::path& folder) {
  const std::scoped_lock lock(m_mutex);
  const auto now = std::chrono::steady_clock::now();
  const auto known = m_files.find(folder);
  if (known != m_files.end() && now - known->second.seen < kFresh) {
    return known->second.file;
  }
  const std::string state = stateOf(folder);
  if (known != m_files.end() && known->second.file->state == state) {
    known->second.seen = now;
    return known->second.file;
  }
  auto reader = remote::openCaptures(folder);
  if (!reader) {
    if (known != m_files.end() && reader.error().code() == ErrorCode::NotFound) {
      return fail(ErrorCode::Io,
                  fmt::format("{}: the tensors were moved away or deleted while the report was "
                              "open; put them back",
                              folder.string()));
    }
    return tl::unexpected<Error>(std::move(reader.error()));
  }
  auto file = std::make_shared<File>();
  file->state = state;
  file->reader = std::move(*reader);
  m_files[folder] = {file, now};
  return file;
}

Result<std::optional<KeptTensor>> KeptTensors::find(const QString& run,
                                                    const Site& site,
                                                    const QString& beside) {
  const auto origin = m_document->captureOrigin(run, site.name, beside);
  if (!origin) {
    return unknownRun(run);
  }
  const auto file = ULP_TRY(open(origin->folder));
  const tensors::StoredCapture* const found =
      file->reader->find(origin->run, {.name = origin->site, .pass = site.pass});
  return found == nullptr ? std::optional<KeptTensor>()
                          : std::optional<KeptTensor>({file->reader, found});
}

Result<CaptureReaderPtr> KeptTensors::readerOf(const QString& run, const QString& beside) {
  const auto origin = m_document->captureOrigin(run, {}, beside);
  if (!origin) {
    return unknownRun(run);
  }
  const auto file = ULP_TRY(open(origin->folder));
  return file->reader;
}

std::string KeptTensors::ownRunName(const QString& run, const QString& beside) const {
  const auto origin = m_document->captureOrigin(run, {}, beside);
  return origin ? origin->run : std::string();
}

Result<SampleValues> readSampleValues(const ReportDocument& document, int variant, int metric) {
  if (variant < 0 || metric < 0) {
    return fail(ErrorCode::NotFound, "no variant and metric are chosen");
  }
  const auto origin = document.captureOrigin(document.variantName(variant), {});
  if (!document.hasSpread() || !origin) {
    return fail(ErrorCode::NotFound, "the values are not means over several samples");
  }
  const MetricInfo& info = document.metrics()[static_cast<std::size_t>(metric)];
  auto table = ULP_TRY(tensors::readSamples(origin->folder, origin->run, info.id.toStdString()));
  std::map<std::pair<Pass, std::string_view>, std::size_t> rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row) {
    rows.emplace(std::pair(table.rows[row].pass, std::string_view(table.rows[row].name)), row);
  }
  SampleValues read{.variant = variant, .metric = metric, .samples = table.samples};
  read.values.assign(
      read.samples.size(),
      std::vector<double>(document.sites().size(), std::numeric_limits<double>::quiet_NaN()));
  for (std::size_t site = 0; site < document.sites().size(); ++site) {
    const Site& place = document.sites()[site];
    const auto own = document.captureOrigin(document.variantName(variant), place.name);
    const auto row = rows.find({place.pass, own->site});
    for (std::size_t i = 0; row != rows.end() && i < read.samples.size(); ++i) {
      read.values[i][site] = table.at(i, row->second);
    }
  }
  return read;
}

}  // namespace ulp::views
