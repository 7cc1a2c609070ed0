#include "views/framework/kept_tensors.h"

#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "core/tensors/capture_layout.h"

namespace ulp::views {
namespace {

std::string keyOf(const std::string& run, Pass pass, const std::string& site) {
  // No name holds a zero byte.
  return fmt::format("{}{}{}{}{}", run, '\0', static_cast<int>(pass), '\0', site);
}

tl::unexpected<Error> unknownRun(const QString& run) {
  return fail(ErrorCode::InvalidArgument, fmt::format("'{}' is not open", run.toStdString()));
}

}  // namespace

bool keepsTensors(const std::filesystem::path& folder) {
  std::error_code ignored;
  return !folder.empty() && std::filesystem::exists(folder / tensors::kIndexFile, ignored);
}

Result<const KeptTensors::File*> KeptTensors::open(const std::filesystem::path& folder) {
  const std::scoped_lock lock(m_mutex);
  if (const auto known = m_files.find(folder); known != m_files.end()) {
    return &known->second;
  }
  auto reader = tensors::CaptureReader::open(folder);
  if (!reader) {
    return tl::unexpected<Error>(std::move(reader.error()));
  }
  File file{.reader = std::move(*reader), .places = {}};
  for (const tensors::StoredCapture& capture : file.reader->captures()) {
    file.places.emplace(keyOf(capture.run, capture.site.pass, capture.site.name), &capture);
  }
  return &m_files.emplace(folder, std::move(file)).first->second;
}

Result<std::optional<KeptTensor>> KeptTensors::find(const QString& run, const Site& site) {
  const auto origin = m_document->captureOrigin(run, site.name);
  if (!origin) {
    return unknownRun(run);
  }
  const auto file = open(origin->folder);
  if (!file) {
    return tl::unexpected<Error>(file.error());
  }
  const auto found = (*file)->places.find(keyOf(origin->run, site.pass, origin->site));
  if (found == (*file)->places.end()) {
    return std::optional<KeptTensor>();
  }
  return std::optional<KeptTensor>({(*file)->reader, found->second});
}

Result<CaptureReaderPtr> KeptTensors::readerOf(const QString& run) {
  const auto origin = m_document->captureOrigin(run, {});
  if (!origin) {
    return unknownRun(run);
  }
  const auto file = open(origin->folder);
  if (!file) {
    return tl::unexpected<Error>(file.error());
  }
  return (*file)->reader;
}

std::string KeptTensors::ownRunName(const QString& run) const {
  const auto origin = m_document->captureOrigin(run, {});
  return origin ? origin->run : std::string();
}

}  // namespace ulp::views
