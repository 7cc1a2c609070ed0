#include "core/remote/mirror/run_mirror.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <span>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/files/file_in_place.h"
#include "core/remote/protocol/mirrored_files.h"

namespace ulp::remote {
namespace {

bool isIn(const auto& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

Error misfit(const std::string& name) {
  return Error(ErrorCode::CorruptData,
               fmt::format("the host sends '{}' in parts that do not fit", name));
}

}  // namespace

RunMirror::RunMirror(std::filesystem::path folder) : m_folder(std::move(folder)) {
  for (const std::string_view name : kAppendedFiles) {
    std::error_code missing;
    const auto size = std::filesystem::file_size(m_folder / name, missing);
    m_known.appended[std::string(name)] = missing ? 0 : size;
  }
}

void RunMirror::beginAttempt() {
  m_known.events = 0;
  m_known.messages = 0;
  m_receiving.reset();
}

Result<RunMirror::Taken> RunMirror::take(Frame frame) {
  Taken taken;
  const std::string say = frame.head.at("say").text();
  const std::string name = frame.head.at("file").text();
  const auto offset = static_cast<std::uint64_t>(frame.head.at("offset").integer());
  if (say == "file") {
    taken.replaced = ULP_TRY(receive(name, frame)) ? name : "";
  } else if (say == "append" && isIn(kAppendedFiles, name)) {
    ULP_TRY(append(name, frame));
  } else if (say == "append" && name == "events") {
    m_known.events = offset + frame.bytes.size();
    taken.events = std::move(frame.bytes);
  } else if (say == "append" && name == "messages") {
    m_known.messages = offset + frame.bytes.size();
    taken.messages = std::move(frame.bytes);
  } else if (say == "append") {
    return fail(ErrorCode::CorruptData,
                fmt::format("the host sends '{}', which nobody asked for", name));
  }
  return taken;
}

Result<> RunMirror::append(const std::string& name, const Frame& frame) {
  const std::filesystem::path file = m_folder / name;
  const FileDescriptor opened = ULP_TRY(openInPlace(file, O_CREAT));
  const auto offset = frame.head.at("offset").integer();
  if (offset < 0 || static_cast<std::uint64_t>(offset) > m_known.appended[name]) {
    return fail(misfit(name));
  }
  // What is there beyond it is of another file than the host's.
  int failure = ::ftruncate(opened.get(), offset) == 0 ? 0 : errno;
  failure = failure != 0 ? failure
                         : writeAllAt(opened.get(), std::as_bytes(std::span(frame.bytes)), offset);
  if (failure != 0) {
    return fail(systemError(file, "cannot write", failure));
  }
  m_known.appended[name] = static_cast<std::uint64_t>(offset) + frame.bytes.size();
  return {};
}

Result<bool> RunMirror::receive(const std::string& name, const Frame& frame) {
  if (!isIn(kReplacedFiles, name) && name != kFinalFile) {
    return fail(ErrorCode::CorruptData,
                fmt::format("the host sends '{}', which nobody asked for", name));
  }
  const std::string& stamp = frame.head.at("stamp").text();
  const auto offset = static_cast<std::uint64_t>(frame.head.at("offset").integer());
  if (offset == 0) {
    m_receiving.reset();
    FileWriter writer = ULP_TRY(FileWriter::create(m_folder / name));
    m_receiving.emplace(Receiving{name, stamp, 0, std::move(writer)});
  }
  if (!m_receiving || m_receiving->name != name || m_receiving->stamp != stamp ||
      m_receiving->size != offset) {
    return fail(misfit(name));
  }
  ULP_TRY(m_receiving->writer.write(std::as_bytes(std::span(frame.bytes))));
  m_receiving->size += frame.bytes.size();
  if (!frame.head.at("last").boolean()) {
    return false;
  }
  ULP_TRY(m_receiving->writer.commit());
  m_known.replaced[name] = stamp;
  m_receiving.reset();
  return true;
}

}  // namespace ulp::remote
