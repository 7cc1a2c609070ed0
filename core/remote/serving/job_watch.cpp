#include "core/remote/serving/job_watch.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "core/base/files/atomic_file.h"
#include "core/base/processes/process_memory.h"
#include "core/json/parse.h"
#include "core/remote/protocol/mirrored_files.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kAtOneGlance = std::size_t{1} << 20;
constexpr std::chrono::seconds kHeartbeat{5};
constexpr std::chrono::seconds kMemoryPace{1};

std::string stampOf(const struct stat& status) {
  return fmt::format("{}-{}.{:09}-{}",
                     status.st_size,
                     status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec,
                     status.st_ino);
}

/// A file that may be read here; links lead out of a folder that others may have written.
FileDescriptor openToRead(const fs::path& file) {
  return FileDescriptor(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW));
}

std::string readAt(int file, std::uint64_t offset, std::size_t most) {
  std::string bytes(most, '\0');
  std::size_t got = 0;
  while (got < most) {
    const ssize_t size =
        ::pread(file, bytes.data() + got, most - got, static_cast<off_t>(offset + got));
    if (size < 0 && errno == EINTR) {
      continue;
    }
    if (size <= 0) {
      break;
    }
    got += static_cast<std::size_t>(size);
  }
  bytes.resize(got);
  return bytes;
}

}  // namespace

json::Value toJson(const KnownOfJob& known) {
  json::Object appended;
  json::Object replaced;
  for (const auto& [name, size] : known.appended) {
    appended[name] = size;
  }
  for (const auto& [name, stamp] : known.replaced) {
    replaced[name] = stamp;
  }
  return json::Object{{"events", known.events},
                      {"messages", known.messages},
                      {"appended", std::move(appended)},
                      {"replaced", std::move(replaced)}};
}

KnownOfJob knownIn(const json::Value& value) {
  KnownOfJob known{.events = static_cast<std::uint64_t>(value.at("events").integer()),
                   .messages = static_cast<std::uint64_t>(value.at("messages").integer())};
  for (const json::Member& each : value.at("appended").members()) {
    known.appended[each.name] = static_cast<std::uint64_t>(each.value.integer());
  }
  for (const json::Member& each : value.at("replaced").members()) {
    known.replaced[each.name] = each.value.text();
  }
  return known;
}

std::string fileStamp(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode) ? stampOf(status) : "";
}

void JobWatch::add(json::Object head, std::string bytes) {
  m_bytes += bytes.size();
  m_frames.push_back({.head = std::move(head), .bytes = std::move(bytes)});
}

std::vector<Frame> JobWatch::glance() {
  m_frames.clear();
  m_bytes = 0;
  m_hasMore = false;
  // Before its files: what is over writes nothing more.
  const JobState state = m_job.state();
  const bool isRunning = state.phase == JobPhase::Running;
  const fs::path attempt = m_job.attemptFolder(state.attempt);
  const fs::path output = state.output;
  sayState(state);
  for (const std::string_view name : kReplacedFiles) {
    replace(output, name);
  }
  for (const std::string_view name : kAppendedFiles) {
    append(output / name, name, m_known.appended[std::string(name)], false);
  }
  if (!isRunning) {
    replace(output, kFinalFile);
  }
  append(attempt / kMessagesFile, "messages", m_known.messages, false);
  if (!m_hasMore) {
    append(attempt / kEventsFile, "events", m_known.events, isRunning);
    sayProgress(attempt);
  }
  if (isRunning && !m_hasMore) {
    sayMemory(attempt);
  }
  if (!isRunning && !m_hasMore && !m_isComplete) {
    m_isComplete = true;
    add({{"say", "complete"},
         {"phase", toString(state.phase)},
         {"exit_code", state.end ? state.end->exitCode : -1},
         {"signal", state.end ? state.end->signal : 0}});
  }
  return std::exchange(m_frames, {});
}

void JobWatch::append(const fs::path& file,
                      std::string_view name,
                      std::uint64_t& known,
                      bool inWholeLines) {
  const FileDescriptor opened = openToRead(file);
  struct stat status {};
  if (!opened || ::fstat(opened.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return;
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size < known) {
    // Another file than before: it is sent from its beginning.
    known = 0;
  }
  while (known < size) {
    if (m_bytes >= kAtOneGlance) {
      m_hasMore = true;
      return;
    }
    std::string bytes = readAt(opened.get(), known, std::min<std::uint64_t>(kPiece, size - known));
    if (inWholeLines) {
      const std::size_t end = bytes.rfind('\n');
      bytes.resize(end == std::string::npos && bytes.size() < kPiece
                       ? 0
                       : std::min(end, bytes.size() - 1) + 1);
    }
    if (bytes.empty()) {
      return;
    }
    const std::uint64_t offset = std::exchange(known, known + bytes.size());
    add({{"say", "append"}, {"file", name}, {"offset", offset}}, std::move(bytes));
  }
}

void JobWatch::replace(const fs::path& folder, std::string_view name) {
  if (m_sending ? m_sending->name != name
                : fileStamp(folder / name) == m_known.replaced[std::string(name)]) {
    m_hasMore = m_hasMore || m_sending.has_value();
    return;
  }
  if (!m_sending) {
    FileDescriptor file = openToRead(folder / name);
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
      return;
    }
    m_sending = Sending{std::string(name),
                        stampOf(status),
                        std::move(file),
                        static_cast<std::uint64_t>(status.st_size),
                        0};
  }
  Sending& now = *m_sending;
  do {
    if (m_bytes >= kAtOneGlance) {
      m_hasMore = true;
      return;
    }
    std::string bytes =
        readAt(now.file.get(), now.sent, std::min<std::uint64_t>(kPiece, now.size - now.sent));
    const std::uint64_t offset = now.sent;
    // One that becomes shorter while it is sent is sent as it is, and comes again.
    now.size = bytes.empty() ? now.sent : now.size;
    now.sent += bytes.size();
    add({{"say", "file"},
         {"file", name},
         {"offset", offset},
         {"stamp", now.stamp},
         {"last", now.sent >= now.size}},
        std::move(bytes));
  } while (now.sent < now.size);
  m_known.replaced[now.name] = now.stamp;
  m_sending.reset();
}

void JobWatch::sayProgress(const fs::path& folder) {
  const fs::path file = folder / kProgressFile;
  std::string stamp = fileStamp(file);
  if (stamp.empty() || stamp == m_progress) {
    return;
  }
  m_progress = std::move(stamp);
  if (const FileDescriptor opened = openToRead(file)) {
    add({{"say", "progress"}}, readAt(opened.get(), 0, kPiece));
  }
}

void JobWatch::sayMemory(const fs::path& folder) {
  if (Clock::now() - m_measured < kMemoryPace) {
    return;
  }
  m_measured = Clock::now();
  const auto text = readTextFile(folder / kProcessesFile);
  const auto processes = text ? json::parseObject(*text) : Result<json::Value>();
  const ProcessIdentity worker =
      processes ? identityIn(processes->at("worker")) : ProcessIdentity{};
  const auto now = identityOf(worker.pid);
  const auto memory = now && *now == worker ? readProcessMemory(worker.pid) : std::nullopt;
  if (memory) {
    add({{"say", "memory"}, {"resident", memory->residentBytes}, {"peak", memory->peakBytes}});
  }
}

void JobWatch::sayState(const JobState& state) {
  if (m_phase == toString(state.phase) && Clock::now() - m_said < kHeartbeat) {
    return;
  }
  m_phase = toString(state.phase);
  m_said = Clock::now();
  add({{"say", "state"}, {"phase", m_phase}, {"attempt", state.attempt}});
}

}  // namespace ulp::remote
