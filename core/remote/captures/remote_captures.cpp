#include "core/remote/captures/remote_captures.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <functional>
#include <map>
#include <span>
#include <sys/stat.h>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/base/files/file_writer.h"
#include "core/base/files/folders.h"
#include "core/base/work_meter.h"
#include "core/remote/fetching/fetched_files.h"
#include "core/remote/mirror/remote_run.h"
#include "core/remote/protocol/mirrored_files.h"
#include "core/remote/serving/tensor_shelf.h"
#include "core/remote/ssh/session.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

/// FNV-1a, for names of files in the cache.
std::uint64_t hashOf(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char c : text) {
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  }
  return hash;
}

/// The tensors of a run folder on a host.
class RemoteCaptures final : public tensors::CaptureReader {
 public:
  RemoteCaptures(RemoteRun run, fs::path cache)
      : m_run(std::move(run)), m_cache(std::move(cache)), m_session(m_run.host, m_run.program) {}

  Result<> start() {
    const Frame answer =
        ULP_TRY(m_session.ask({.head = json::Object{{"ask", "captures"}, {"path", m_run.folder}}}));
    m_stamp = answer.head.at("stamp").text();
    ListedCaptures listed = ULP_TRY(capturesIn(answer.bytes));
    m_captures = std::move(listed.captures);
    m_problems = std::move(listed.problems);
    for (std::size_t i = 0; i < m_captures.size(); ++i) {
      const auto& [run, site, dtype, shape, stride] = m_captures[i];
      m_positions.emplace(std::tuple(run, site.pass, site.name), i);
    }
    return {};
  }

  [[nodiscard]] const std::vector<tensors::StoredCapture>& captures() const override {
    return m_captures;
  }
  [[nodiscard]] const tensors::StoredCapture* find(std::string_view run,
                                                   const Site& site) const override {
    const auto found = m_positions.find(std::tuple(std::string(run), site.pass, site.name));
    return found == m_positions.end() ? nullptr : &m_captures[found->second];
  }
  [[nodiscard]] const std::vector<Error>& problems() const override { return m_problems; }

  [[nodiscard]] Result<tensors::Tensor> read(const tensors::StoredCapture& capture) const override {
    const auto found =
        m_positions.find(std::tuple(capture.run, capture.site.pass, capture.site.name));
    if (found == m_positions.end()) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: no capture of '{}'", place(), capture.site.name));
    }
    return readAt(found->second);
  }

 private:
  [[nodiscard]] std::string place() const {
    return toText({.host = m_run.host, .path = m_run.folder});
  }

  /// What is stored of a capture: the tensor, or a flat subsample.
  [[nodiscard]] Result<std::vector<std::int64_t>> storedShape(
      const tensors::StoredCapture& capture) const {
    const auto count = tensors::checkedCount(capture.shape);
    if (!count) {
      return fail(ErrorCode::CorruptData, place() + ": a tensor has an impossible shape");
    }
    if (capture.sampleStride == 1) {
      return capture.shape;
    }
    const std::uint64_t stored = (*count + capture.sampleStride - 1) / capture.sampleStride;
    return std::vector{static_cast<std::int64_t>(stored)};
  }

  [[nodiscard]] Result<tensors::Tensor> readAt(std::size_t index) const {
    const tensors::StoredCapture& capture = m_captures[index];
    std::vector<std::int64_t> shape = ULP_TRY(storedShape(capture));
    const std::uint64_t size = tensors::checkedCount(shape).value_or(0) * itemSize(capture.dtype);
    // Another state of the folder is another name.
    const fs::path file = m_cache / fmt::format("{:016x}{:016x}.tensor",
                                                hashOf(place() + m_stamp),
                                                hashOf(fmt::format("{}/{}/{}/{}",
                                                                   index,
                                                                   capture.run,
                                                                   toString(capture.site.pass),
                                                                   capture.site.name)));
    struct stat kept {};
    if (::stat(file.c_str(), &kept) != 0 || static_cast<std::uint64_t>(kept.st_size) != size) {
      ULP_TRY(fetchTensor(index, size, file));
    } else {
      // It was used now.
      std::error_code ignored;
      fs::last_write_time(file, fs::file_time_type::clock::now(), ignored);
    }
    const auto source = ULP_TRY(tensors::openByteSource(file));
    if (source.bytes.size() != size) {
      return source.corrupt("is not what was fetched; delete it");
    }
    return tensors::tensorAt(source, 0, capture.dtype, std::move(shape));
  }

  Result<> fetchTensor(std::size_t index, std::uint64_t size, const fs::path& file) const {
    ULP_TRY(makeFolders(m_cache));
    FileWriter writer = ULP_TRY(FileWriter::create(file));
    WorkMeter& meter = MeterScope::current();
    meter.expect(size);
    for (std::uint64_t offset = 0; offset < size; offset += kTile) {
      const std::uint64_t wanted = std::min<std::uint64_t>(kTile, size - offset);
      const Frame tile = ULP_TRY(m_session.ask({.head = json::Object{{"ask", "tile"},
                                                                     {"path", m_run.folder},
                                                                     {"stamp", m_stamp},
                                                                     {"index", index},
                                                                     {"offset", offset},
                                                                     {"size", wanted}}}));
      if (tile.bytes.size() != wanted ||
          static_cast<std::uint64_t>(tile.head.at("total").integer()) != size) {
        return fail(ErrorCode::CorruptData, place() + ": a tensor has another size than it said");
      }
      ULP_TRY(writer.write(std::as_bytes(std::span(tile.bytes))));
      meter.advance(wanted);
    }
    ULP_TRY(writer.commit(Durability::WithItsFolder));
    keepBelow(m_cache, kMostKeptTensors);
    return {};
  }

  RemoteRun m_run;
  fs::path m_cache;
  mutable Session m_session;
  std::string m_stamp;
  std::vector<tensors::StoredCapture> m_captures;
  std::vector<Error> m_problems;
  std::map<std::tuple<std::string, Pass, std::string>, std::size_t> m_positions;
};

}  // namespace

bool hasRemoteCaptures(const fs::path& folder) {
  std::error_code ignored;
  return isRemoteRun(folder) && !fs::exists(folder / tensors::kIndexFile, ignored);
}

Result<std::shared_ptr<const tensors::CaptureReader>> openCaptures(const fs::path& path) {
  const bool isReport = path.filename() == kReport || path.filename() == tensors::kIndexFile;
  const fs::path folder = isReport ? path.parent_path() : path;
  if (!hasRemoteCaptures(folder)) {
    return tensors::CaptureReader::open(path);
  }
  auto reader = std::make_shared<RemoteCaptures>(ULP_TRY(readRemoteRun(folder)),
                                                 ULP_TRY(hostCacheFolder()) / ".tensors");
  ULP_TRY(reader->start());
  return std::shared_ptr<const tensors::CaptureReader>(std::move(reader));
}

}  // namespace ulp::remote
