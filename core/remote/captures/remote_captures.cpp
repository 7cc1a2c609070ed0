#include "core/remote/captures/remote_captures.h"

#include <fmt/format.h>
#include <map>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/remote/captures/remote_tensor.h"
#include "core/remote/mirror/remote_run.h"
#include "core/remote/protocol/mirrored_files.h"
#include "core/remote/serving/tensor_shelf.h"
#include "core/remote/ssh/session.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

/// The tensors of a run folder on a host.
class RemoteCaptures final : public tensors::CaptureReader {
 public:
  explicit RemoteCaptures(RemoteRun run)
      : m_run(std::move(run)), m_session(sharedSession(m_run.host, m_run.program)) {}

  Result<> start() {
    const Frame answer = ULP_TRY(
        m_session->ask({.head = json::Object{{"ask", "captures"}, {"path", m_run.folder}}}));
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
    return RemoteTensor::read(ULP_TRY(open(capture)));
  }
  [[nodiscard]] Result<tensors::Tensor> look(const tensors::StoredCapture& capture) const override {
    return RemoteTensor::look(ULP_TRY(open(capture)));
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

  [[nodiscard]] Result<std::shared_ptr<RemoteTensor>> open(
      const tensors::StoredCapture& asked) const {
    const auto found = m_positions.find(std::tuple(asked.run, asked.site.pass, asked.site.name));
    if (found == m_positions.end()) {
      return fail(ErrorCode::NotFound,
                  fmt::format("{}: no capture of '{}'", place(), asked.site.name));
    }
    const tensors::StoredCapture& capture = m_captures[found->second];
    std::vector<std::int64_t> shape = ULP_TRY(storedShape(capture));
    // Another state of the folder is another name.
    return RemoteTensor::open(
        {.session = m_session,
         .question = {{"path", m_run.folder}, {"stamp", m_stamp}, {"index", found->second}},
         .place = place()},
        fmt::format("{}\n{}\n{}\n{}\n{}\n{}",
                    place(),
                    m_stamp,
                    found->second,
                    capture.run,
                    toString(capture.site.pass),
                    capture.site.name),
        capture.dtype,
        std::move(shape));
  }

  RemoteRun m_run;
  std::shared_ptr<Session> m_session;
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
  auto reader = std::make_shared<RemoteCaptures>(ULP_TRY(readRemoteRun(folder)));
  ULP_TRY(reader->start());
  return std::shared_ptr<const tensors::CaptureReader>(std::move(reader));
}

}  // namespace ulp::remote
