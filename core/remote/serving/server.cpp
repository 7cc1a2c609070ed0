#include "core/remote/serving/server.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <span>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "core/base/barrier.h"
#include "core/base/files/file_descriptor.h"
#include "core/base/files/folders.h"
#include "core/base/list_of.h"
#include "core/base/stop_scope.h"
#include "core/remote/jobs/job_keeper.h"
#include "core/remote/serving/asker_watch.h"
#include "core/tensors/archive/byte_source.h"

namespace ulp::remote {
namespace {

namespace fs = std::filesystem;

constexpr int kWatchGlanceMs = 100;
/// Of a folder that is listed.
constexpr std::size_t kMostEntries = 100'000;
/// Of all files that are sent with a study.
constexpr std::uint64_t kLargestSent = std::uint64_t{256} << 20;

JobState stateOf(const json::Value& question) {
  const auto job = JobFolder::of(question.at("job").text());
  return job ? job->state() : JobState{};
}

Frame stateFrame(const JobState& state) {
  return {.head = json::Object{{"phase", toString(state.phase)},
                               {"attempt", state.attempt},
                               {"output", state.output},
                               {"exit_code", state.end ? state.end->exitCode : -1},
                               {"signal", state.end ? state.end->signal : 0}}};
}

Result<Frame> jobsFrame() {
  json::Array jobs;
  for (const KeptJob& each : ULP_TRY(keptJobs())) {
    jobs.push_back(json::Object{{"job", each.job},
                                {"phase", toString(each.state.phase)},
                                {"exit_code", each.state.end ? each.state.end->exitCode : -1},
                                {"study", each.study},
                                {"begun", each.begun},
                                {"output", each.state.output},
                                {"bytes", each.bytes},
                                {"results_here", each.hasResultsHere}});
  }
  return Frame{.head = json::Object{{"jobs", std::move(jobs)}}};
}

/// A path of a question: from the root, or from the home.
fs::path pathIn(const json::Value& question) {
  fs::path path(question.at("path").text());
  if (path.is_absolute()) {
    return path;
  }
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): never set by us
  const fs::path from = home == nullptr ? "/" : home;
  return path.empty() ? from : from / path;
}

json::Value withWholePath(json::Value question) {
  question["path"] = pathIn(question).string();
  return question;
}

Result<json::Value> entryOf(const fs::path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return errno == ENOENT ? fail(ErrorCode::NotFound, path.string() + ": no such file or folder")
                           : fail(systemError(path, "cannot be looked at", errno));
  }
  const bool isFolder = S_ISDIR(status.st_mode);
  return json::Value(json::Object{{"path", path.string()},
                                  {"kind",
                                   isFolder                  ? "folder"
                                   : S_ISREG(status.st_mode) ? "file"
                                                             : "other"},
                                  {"size", static_cast<std::int64_t>(status.st_size)},
                                  {"stamp", fileStamp(path)}});
}

Result<Frame> listFolder(const fs::path& folder) {
  std::error_code code;
  json::Array entries;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code)) {
    if (entries.size() >= kMostEntries) {
      return fail(ErrorCode::Unsupported,
                  fmt::format("{}: has more than {} entries", folder.string(), kMostEntries));
    }
    if (auto listed = entryOf(entry->path())) {
      (*listed)["name"] = entry->path().filename().string();
      entries.push_back(std::move(*listed));
    }
  }
  if (code) {
    return fail(systemError(folder, "cannot be listed", code.value()));
  }
  return Frame{.head = json::Object{{"entries", std::move(entries)}}};
}

Result<Frame> readPart(const fs::path& path, const json::Value& question) {
  const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0) {
    return fail(systemError(path, "cannot be read", errno));
  }
  if (!S_ISREG(status.st_mode)) {
    return fail(ErrorCode::InvalidArgument, path.string() + ": not a file");
  }
  const auto size = std::clamp<std::int64_t>(
      question.at("size").integer(), 0, static_cast<std::int64_t>(kLargestBytes));
  Frame answer{.head = json::Object{{"size", static_cast<std::int64_t>(status.st_size)},
                                    {"stamp", fileStamp(path)}},
               .bytes = std::string(static_cast<std::size_t>(size), '\0')};
  std::size_t got = 0;
  while (got < answer.bytes.size()) {
    const ssize_t more =
        ::pread(file.get(),
                answer.bytes.data() + got,
                answer.bytes.size() - got,
                static_cast<off_t>(question.at("offset").integer()) + static_cast<off_t>(got));
    if (more < 0 && errno != EINTR) {
      return fail(systemError(path, "cannot be read", errno));
    }
    if (more == 0) {
      break;
    }
    got += more > 0 ? static_cast<std::size_t>(more) : 0;
  }
  answer.bytes.resize(got);
  return answer;
}

/// Names of files that are sent with a study stay below its folder.
bool staysInside(const fs::path& name) {
  return !name.empty() && name.is_relative() &&
         std::ranges::none_of(name,
                              [](const fs::path& part) { return part == ".." || part == "."; });
}

}  // namespace

Result<> Server::run() {
  const int failure = writeAll(m_output, std::as_bytes(std::span(kGreeting)));
  if (failure != 0) {
    return fail(systemError("standard output", "cannot write", failure));
  }
  while (!m_hasEnded) {
    const bool isWatching = m_watch && !m_watch->isComplete();
    const int patience = !isWatching ? -1 : m_watch->hasMore() ? 0 : kWatchGlanceMs;
    pollfd waiting{m_input, POLLIN, 0};
    if (::poll(&waiting, 1, patience) < 0 && errno != EINTR) {
      return fail(systemError("standard input", "cannot be waited for", errno));
    }
    if (waiting.revents != 0) {
      ULP_TRY(take());
    }
    if (isWatching) {
      ULP_TRY(glance());
    }
  }
  return {};
}

Result<> Server::take() {
  std::string piece(kPiece, '\0');
  const ssize_t size = ::read(m_input, piece.data(), piece.size());
  if (size <= 0) {
    m_hasEnded = size == 0 || (errno != EINTR && errno != EAGAIN);
    return {};
  }
  m_reader.feed(std::string_view(piece).substr(0, static_cast<std::size_t>(size)));
  while (const auto question = ULP_TRY(m_reader.next())) {
    const auto answered = behindBarrier("question", [&] { return answer(*question); });
    Frame frame = answered ? *answered : errorFrame(answered.error());
    frame.head["number"] = question->head.at("number");
    ULP_TRY(say(frame));
  }
  return {};
}

Result<> Server::say(const Frame& frame) const {
  std::string bytes = encoded(frame);
  if (bytes.size() - frame.bytes.size() > kLargestHead) {
    Frame instead =
        errorFrame({ErrorCode::Unsupported, "there is more to tell than fits into an answer"});
    instead.head["number"] = frame.head.at("number");
    bytes = encoded(instead);
  }
  const int failure = writeAll(m_output, std::as_bytes(std::span(bytes)));
  return failure == 0 ? Result<>()
                      : Result<>(fail(systemError("standard output", "cannot write", failure)));
}

Result<> Server::glance() {
  for (const Frame& frame : m_watch->glance()) {
    ULP_TRY(say(frame));
  }
  return {};
}

Result<Frame> Server::answer(const Frame& question) {
  const json::Value& head = question.head;
  const std::string& ask = head.at("ask").text();
  if (ask == "hello") {
    return Frame{.head = json::Object{{"protocol", kProtocol},
                                      {"version", ULP_VERSION},
                                      {"machine", machineName()}}};
  }
  if (ask == "put") {
    return put(question);
  }
  if (ask == "start") {
    return start(head);
  }
  if (ask == "watch") {
    return watch(head);
  }
  if (ask == "state") {
    return stateFrame(stateOf(head));
  }
  if (ask == "cancel") {
    ULP_TRY(ULP_TRY(JobFolder::of(head.at("job").text())).cancel());
    return Frame{.head = json::Object{}};
  }
  if (ask == "skip") {
    ULP_TRY(ULP_TRY(JobFolder::of(head.at("job").text())).skip(head.at("variant").text()));
    return Frame{.head = json::Object{}};
  }
  if (ask == "forget") {
    ULP_TRY(ULP_TRY(JobFolder::of(head.at("job").text())).remove());
    return Frame{.head = json::Object{}};
  }
  if (ask == "jobs") {
    return jobsFrame();
  }
  if (ask == "stat") {
    return Frame{.head = ULP_TRY(entryOf(pathIn(head)))};
  }
  if (ask == "list") {
    return listFolder(pathIn(head));
  }
  if (ask == "read") {
    return readPart(pathIn(head), head);
  }
  if (ask == "captures") {
    return m_shelf.captures(pathIn(head));
  }
  if (ask == "pieces" || ask == "pick") {
    const tensors::Tensor tensor = ULP_TRY(tensorOf(head));
    return ask == "pick" ? pickedOf(tensor, head) : piecesOf(tensor, head);
  }
  if (ask == "numbers") {
    return numbers(head);
  }
  if (m_dumps != nullptr && (ask == "dump" || ask == "unit" || ask == "tensor")) {
    return m_dumps->answer(withWholePath(head));
  }
  return fail(ErrorCode::Unsupported, fmt::format("'{}': not known to this version", ask));
}

Result<tensors::Tensor> Server::tensorOf(const json::Value& question) {
  return question.at("of").text() == "dump" && m_dumps != nullptr
             ? m_dumps->tensor(withWholePath(question))
             : m_shelf.tensor(pathIn(question), question);
}

Result<Frame> Server::numbers(const json::Value& question) {
  std::vector<tensors::Tensor> asked;
  for (const json::Value& each : question.at("tensors").items()) {
    tensors::Tensor tensor = ULP_TRY(tensorOf(each));
    // As who asks sees it: shapes of two tensors may be written in two ways.
    const std::size_t count = tensor.view.count();
    tensor.view.shape =
        listOf(each.at("shape").items(), [](const json::Value& size) { return size.integer(); });
    if (tensors::checkedCount(tensor.view.shape) != count) {
      return fail(ErrorCode::InvalidArgument, "a tensor has another shape than was asked for");
    }
    asked.push_back(std::move(tensor));
  }
  if (m_numbers == nullptr || asked.empty()) {
    return fail(ErrorCode::Unsupported, "numbers: not known to this version");
  }
  const AskerWatch watch(m_input, [this] {
    static_cast<void>(say({.head = json::Object{{"say", "still"}}}));
  });
  const StopScope scope(watch.givenUp());
  Numbers found = ULP_TRY(m_numbers(question, asked, watch.givenUp()));
  for (const tensors::Tensor& tensor : asked) {
    ULP_TRY(tensors::checkIntact(tensor));
  }
  return found.text().size() > kLargestBytes
             ? fail(ErrorCode::Unsupported, "numbers: too many for one answer")
             : Result<Frame>(Frame{.head = json::Object{}, .bytes = found.text()});
}

Result<Frame> Server::put(const Frame& question) {
  const JobFolder job = ULP_TRY(JobFolder::of(question.head.at("job").text()));
  const fs::path name(question.head.at("name").text());
  const std::int64_t offset = question.head.at("offset").integer();
  if (!staysInside(name) || offset < 0 || static_cast<std::uint64_t>(offset) > kLargestSent) {
    return fail(ErrorCode::InvalidArgument,
                fmt::format("'{}': not a file to send with a study", name.string()));
  }
  const fs::path file = job.studyFolder() / name;
  ULP_TRY(makeFolders(file.parent_path()));
  const FileDescriptor opened(
      ::open(file.c_str(),
             O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | (offset == 0 ? O_TRUNC : 0),
             S_IRUSR | S_IWUSR));
  if (!opened) {
    return fail(systemError(file, "cannot be made", errno));
  }
  const int failure = writeAllAt(opened.get(), std::as_bytes(std::span(question.bytes)), offset);
  if (failure != 0) {
    return fail(systemError(file, "cannot write", failure));
  }
  return Frame{.head = json::Object{}};
}

Result<Frame> Server::start(const json::Value& question) const {
  const JobOrder order = ULP_TRY(orderIn(question.at("order")));
  const JobFolder job = ULP_TRY(JobFolder::of(order.job));
  // Who asks again, because the answer was lost, gets the same.
  if (const auto lock = ULP_TRY(job.begin(order))) {
    ULP_TRY(startKeeper(m_program, order, *lock));
  }
  return stateFrame(job.state());
}

Result<Frame> Server::watch(const json::Value& question) {
  JobFolder job = ULP_TRY(JobFolder::of(question.at("job").text()));
  m_watch.emplace(std::move(job), knownIn(question.at("known")));
  return stateFrame(stateOf(question));
}

}  // namespace ulp::remote
