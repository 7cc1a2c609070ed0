#include "app/cli/run/host_study.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <optional>
#include <poll.h>
#include <string>
#include <string_view>
#include <sys/random.h>
#include <utility>
#include <vector>

#include "app/cli/run/host_signals.h"
#include "app/cli/run/new_process.h"
#include "app/cli/run/sent_files.h"
#include "app/cli/run/shipped_study.h"
#include "core/base/digest/sha256.h"
#include "core/base/files/mapped_file.h"
#include "core/base/list_of.h"
#include "core/base/text/shell_quoted.h"
#include "core/base/text/split.h"
#include "core/remote/install/installation.h"
#include "core/remote/mirror/remote_run.h"
#include "core/remote/mirror/run_mirror.h"
#include "core/remote/protocol/mirrored_files.h"
#include "core/remote/ssh/connection.h"
#include "core/study/reading/study.h"
#include "runner/worker/session/run_folder.h"

namespace ulp::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using remote::JobPhase;

/// In which skips and silence are looked at.
constexpr std::chrono::milliseconds kHostGlance{200};
/// The host says something every five seconds.
constexpr std::chrono::seconds kLongestSilence{45};
constexpr std::chrono::milliseconds kFirstWait{250};
constexpr std::chrono::milliseconds kLongestWait{30000};
/// Of a file that is sent, at once.
constexpr std::size_t kSentAtOnce = std::size_t{8} << 20;
/// What the worker writes of its own error, which is told at the end.
constexpr std::string_view kOwnErrors = "ulpscope-cli: ";

std::string newJobName() {
  std::array<unsigned char, 12> bytes{};
  static_cast<void>(!::getrandom(bytes.data(), bytes.size(), 0));
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

/// The error that an event tells of.
Error errorOfEvent(const worker::StudyFinished& finished) {
  const auto error = remote::errorOf(
      {.head = json::Object{{"error", finished.error}, {"code", finished.errorCode}}});
  return error.value_or(Error(ErrorCode::Internal, finished.error));
}

class HostStudy {
 public:
  HostStudy(const RunArguments& arguments,
            HostSignals& signals,
            worker::SkipRequests& skips,
            const std::function<void(const worker::Event&)>& observe)
      : m_arguments(arguments),
        m_wishes(*arguments.remote),
        m_signals(signals),
        m_skips(skips),
        m_observe(observe) {}

  Result<FinishedStudy> run() {
    ULP_TRY(prepare());
    m_connection = ULP_TRY(connect());
    ULP_TRY(begin());
    ULP_TRY(follow());
    ULP_TRY(remote::writeRemoteRun(m_folder->path(), m_run));
    return finish();
  }

 private:
  Result<> prepare() {
    m_run.host = ULP_TRY(remote::parseHost(m_wishes.host));
    m_run.program = m_wishes.program;
    m_study = ULP_TRY(loadStudyNamed(m_arguments.study, m_arguments.sets));
    m_files = ULP_TRY(filesToSend(m_study, m_wishes.send));
    m_sent = ULP_TRY(digestOfWhatIsSent());
    const worker::RunOptions& options = m_arguments.options;
    m_folder = ULP_TRY(worker::RunFolder::claim(
        options.outputDir.empty() ? m_study.outputDir : options.outputDir, options.existing));
    const fs::path& path = m_folder->path();
    if (!remote::isRemoteRun(path)) {
      const bool isHere = m_folder->hasReport();
      return isHere && options.existing == worker::ExistingResults::Resume
                 ? fail(ErrorCode::InvalidArgument,
                        fmt::format("{}: was made on this machine and cannot go on at {}; name "
                                    "another folder with --output, or --overwrite",
                                    path.string(),
                                    m_run.host.destination))
                 : Result<>();
    }
    const remote::RemoteRun before = ULP_TRY(remote::readRemoteRun(path));
    if (options.existing == worker::ExistingResults::Overwrite) {
      m_replaced = before;
      return {};
    }
    if (before.host != m_run.host) {
      return fail(ErrorCode::InvalidArgument,
                  fmt::format("{}: is of {}, and goes on there alone: --on {}",
                              path.string(),
                              before.host.destination,
                              before.host.destination));
    }
    m_run = before;
    m_run.program = m_wishes.program.empty() ? before.program : m_wishes.program;
    return {};
  }

  [[nodiscard]] Result<std::string> digestOfWhatIsSent() const {
    std::string all = fmt::format("{}", fmt::join(choosingWords(m_arguments), "\n"));
    for (const SentFile& sent : m_files) {
      all += fmt::format("\n{} {}", ULP_TRY(sha256OfFiles({sent.file})), sent.name);
    }
    return sha256(all);
  }

  [[nodiscard]] remote::ConnectOptions connectOptions() const {
    return {.program = m_run.program, .wake = m_signals.descriptor()};
  }

  /// The first connection, before which there is nothing to lose.
  Result<std::unique_ptr<remote::Connection>> connect() {
    bool mayInstall = m_wishes.installs;
    while (true) {
      auto opened = remote::Connection::open(m_run.host, connectOptions());
      if (opened && mayInstall && (*opened)->version() != remote::ownVersion()) {
        opened = fail(ErrorCode::Unsupported, "another version");
      }
      const ErrorCode code = opened ? ErrorCode::Internal : opened.error().code();
      if (opened || !mayInstall ||
          (code != ErrorCode::NotFound && code != ErrorCode::Unsupported)) {
        return opened;
      }
      mayInstall = false;
      say("info", fmt::format("copying Ulpscope to {}", m_run.host.destination));
      ULP_TRY(remote::install(m_run.host,
                              {.archive = m_wishes.archive, .wake = m_signals.descriptor()}));
    }
  }

  /// Starts the study, or takes up what runs already.
  Result<> begin() {
    ULP_TRY(clearReplaced());
    remote::JobState state;
    if (!m_run.job.empty()) {
      state = stateIn(ULP_TRY(askOfJob("state")));
      const bool isChanged = !m_run.sent.empty() && m_run.sent != m_sent;
      const bool isRunning = state.phase == JobPhase::Running;
      const bool isNews = state.attempt > m_run.attempt && state.phase != JobPhase::Unknown;
      if (isRunning || (isNews && !isChanged)) {
        say("info", fmt::format("taking up the study on {}", m_run.host.destination));
        if (isChanged) {
          say("warning",
              fmt::format("{} runs the study as it was sent, which is not as it is now; --resume "
                          "makes what was added once that is over",
                          m_run.host.destination));
        }
        return become(state);
      }
      m_run.folder = isNews ? state.output : m_run.folder;
      if (state.phase == JobPhase::Unknown && m_run.attempt > 0) {
        return fail(ErrorCode::NotFound,
                    fmt::format("{}: does not have the results of this run any more; begin anew "
                                "with --overwrite",
                                m_run.host.destination));
      }
    } else {
      m_run.job = newJobName();
    }
    m_run.sent = m_sent;
    // Known here before it is there: whatever happens between, nothing runs that nobody knows of.
    ULP_TRY(remote::writeRemoteRun(m_folder->path(), m_run));
    ULP_TRY(sendFiles());
    remote::Frame start{
        .head = json::Object{{"ask", "start"}, {"order", toJson(orderFor(state.attempt + 1))}}};
    state = stateIn(ULP_TRY(m_connection->ask(std::move(start))));
    say("info",
        fmt::format("runs on {} ({}), which keeps the tensors in {}",
                    m_run.host.destination,
                    m_connection->machine(),
                    state.output));
    return become(state);
  }

  Result<> become(const remote::JobState& state) {
    m_attempt = state.attempt;
    m_run.folder = state.output;
    m_mirror.emplace(m_folder->path());
    return remote::writeRemoteRun(m_folder->path(), m_run);
  }

  /// --overwrite: what was there before goes, here and there.
  Result<> clearReplaced() {
    if (m_arguments.options.existing != worker::ExistingResults::Overwrite) {
      return {};
    }
    if (m_replaced && !m_replaced->job.empty() && m_replaced->host == m_run.host) {
      // Refused while that one runs.
      ULP_TRY(
          m_connection->ask({.head = json::Object{{"ask", "forget"}, {"job", m_replaced->job}}}));
    }
    ULP_TRY(m_folder->removeResults());
    std::error_code ignored;
    fs::remove(m_folder->path() / remote::kRemoteFile, ignored);
    return {};
  }

  [[nodiscard]] remote::JobOrder orderFor(int attempt) const {
    const worker::RunOptions& options = m_arguments.options;
    remote::JobOrder order{.job = m_run.job,
                           .attempt = attempt,
                           .study = m_study.file.filename().string(),
                           .output = attempt > 1 ? m_run.folder : m_wishes.output,
                           .options = choosingWords(m_arguments)};
    if (attempt > 1 || options.existing == worker::ExistingResults::Resume) {
      order.options.emplace_back("--resume");
      if (options.keepsFailed) {
        order.options.emplace_back("--keep-failed");
      }
    } else if (options.existing == worker::ExistingResults::Overwrite) {
      order.options.emplace_back("--overwrite");
    }
    return order;
  }

  Result<> sendFiles() {
    for (const SentFile& sent : m_files) {
      const auto file = ULP_TRY(MappedFile::open(sent.file));
      const auto bytes = file->bytes();
      std::size_t offset = 0;
      do {
        const auto part = bytes.subspan(offset, std::min(kSentAtOnce, bytes.size() - offset));
        // NOLINTNEXTLINE(*-reinterpret-cast): bytes as they are
        const auto* const begin = reinterpret_cast<const char*>(part.data());
        ULP_TRY(m_connection->ask(
            {.head =
                 json::Object{
                     {"ask", "put"}, {"job", m_run.job}, {"name", sent.name}, {"offset", offset}},
             .bytes = std::string(begin, part.size())}));
        offset += part.size();
      } while (offset < bytes.size());
      ULP_TRY(file->checkIntact());
    }
    if (m_files.size() > 1) {
      say("info", fmt::format("sent {}", fmt::join(listOf(m_files, &SentFile::name), ", ")));
    }
    return {};
  }

  static remote::JobState stateIn(const remote::Frame& answer) {
    return {.phase = remote::phaseNamed(answer.head.at("phase").text()),
            .attempt = static_cast<int>(answer.head.at("attempt").integer()),
            .output = answer.head.at("output").text()};
  }

  Result<remote::Frame> askOfJob(std::string_view what) {
    return m_connection->ask({.head = json::Object{{"ask", what}, {"job", m_run.job}}});
  }

  /// Until the study is over and all of it is here.
  Result<> follow() {
    while (true) {
      const auto followed = followConnection();
      if (followed) {
        return {};
      }
      if (m_localError) {
        return fail(m_localError->code(), m_localError->message() + "; " + left().message());
      }
      m_signals.take();
      if (m_signals.asksToLeave()) {
        return tl::unexpected(left());
      }
      if (followed.error().code() == ErrorCode::Cancelled) {
        continue;
      }
      if (followed.error().code() != ErrorCode::Io) {
        return followed;
      }
      ULP_TRY(reconnect(followed.error()));
    }
  }

  Result<> followConnection() {
    if (!std::exchange(m_isWatching, true)) {
      m_mirror->beginConnection();
      ULP_TRY(m_connection->ask(
          {.head = json::Object{
               {"ask", "watch"}, {"job", m_run.job}, {"known", toJson(m_mirror->known())}}}));
    }
    auto heard = Clock::now();
    while (!m_end) {
      ULP_TRY(heedWishes());
      auto frame = ULP_TRY(m_connection->receive(kHostGlance));
      if (frame) {
        heard = Clock::now();
        ULP_TRY(take(std::move(*frame)));
      } else if (Clock::now() - heard > kLongestSilence) {
        return fail(ErrorCode::Io, m_run.host.destination + ": says nothing any more");
      }
    }
    return {};
  }

  Result<> heedWishes() {
    m_signals.take();
    if (m_signals.asksToLeave()) {
      return tl::unexpected(left());
    }
    if (m_signals.asksToCancel() && !m_hasCancelled) {
      ULP_TRY(askOfJob("cancel"));
      m_hasCancelled = true;
    }
    for (const std::string& run : m_skips.takeNew()) {
      const auto asked = m_connection->ask(
          {.head = json::Object{{"ask", "skip"}, {"job", m_run.job}, {"variant", run}}});
      if (!asked) {
        say("warning", asked.error().message());
      }
    }
    return {};
  }

  [[nodiscard]] Error left() const {
    const std::string& host = m_run.host.destination;
    const std::string how = m_hasCancelled ? fmt::format("{} was told to stop the study", host)
                            : m_signals.asksToCancel()
                                ? fmt::format(
                                      "the study goes on on {}, which could not be told to "
                                      "stop",
                                      host)
                                : fmt::format("the study goes on on {}", host);
    return {ErrorCode::Cancelled,
            fmt::format("{}; `{}` takes it up", how, shellLine(wordsToTakeUp()))};
  }

  [[nodiscard]] std::vector<std::string> wordsToTakeUp() const {
    std::vector<std::string> words{std::string(kProgramName),
                                   "run",
                                   m_arguments.study.string(),
                                   "--on",
                                   m_run.host.destination,
                                   "--output",
                                   m_folder->path().string()};
    std::ranges::move(choosingWords(m_arguments), std::back_inserter(words));
    for (const std::string& more : m_wishes.send) {
      words.insert(words.end(), {"--send", more});
    }
    words.emplace_back("--resume");
    return words;
  }

  /// Until there is a connection again, with growing waits.
  Result<> reconnect(const Error& why) {
    m_observe(worker::Message{
        "warning",
        fmt::format("{}; the study goes on there, and this goes on when {} answers again",
                    why.message(),
                    m_run.host.destination),
        std::string(worker::kConnectionLost)});
    m_connection.reset();
    m_isWatching = false;
    for (auto wait = kFirstWait;; wait = std::min(wait * 2, kLongestWait)) {
      pollfd signals{m_signals.descriptor(), POLLIN, 0};
      ::poll(&signals, 1, static_cast<int>(wait.count()));
      m_signals.take();
      if (m_signals.asksToLeave()) {
        return tl::unexpected(left());
      }
      auto opened = remote::Connection::open(m_run.host, connectOptions());
      if (opened) {
        m_connection = std::move(*opened);
        m_observe(worker::Message{"info",
                                  fmt::format("connected to {} again", m_run.host.destination),
                                  std::string(worker::kConnectionMade)});
        return {};
      }
      const ErrorCode code = opened.error().code();
      if (code != ErrorCode::Io && code != ErrorCode::Cancelled) {
        return fail(code, opened.error().message() + "; " + left().message());
      }
    }
  }

  Result<> take(remote::Frame frame) {
    const std::string say = frame.head.at("say").text();
    if (say == "progress") {
      observeLines(frame.bytes);
      return {};
    }
    if (say == "memory") {
      const auto bytesOf = [&frame](std::string_view name) {
        return static_cast<std::uint64_t>(std::max<std::int64_t>(0, frame.head.at(name).integer()));
      };
      m_observe(worker::MemoryUse{bytesOf("resident"), bytesOf("peak")});
      return {};
    }
    if (say == "complete") {
      m_end = remote::JobEnd{static_cast<int>(frame.head.at("exit_code").integer()),
                             static_cast<int>(frame.head.at("signal").integer())};
      m_isLost = frame.head.at("phase").text() != toString(JobPhase::Over);
      m_run.attempt = m_attempt;
      return {};
    }
    auto taken = m_mirror->take(std::move(frame));
    if (!taken) {
      m_localError = taken.error();
      return tl::unexpected(taken.error());
    }
    if (taken->replaced == remote::kReport) {
      m_observe(worker::ReportUpdated{m_folder->reportFile().string()});
    }
    observeLines(taken->events);
    takeMessages(taken->messages);
    return {};
  }

  /// What a worker of this machine would have said.
  void observeLines(std::string_view lines) {
    for (const std::string_view line : split(lines, '\n')) {
      auto event = worker::parseEvent(line);
      if (line.empty() || !event) {
        continue;
      }
      if (auto* started = std::get_if<worker::StudyStarted>(&*event)) {
        started->outputDir = m_folder->path().string();
      }
      if (const auto* finished = std::get_if<worker::StudyFinished>(&*event)) {
        m_finished = *finished;
      } else if (!std::holds_alternative<worker::ReportUpdated>(*event)) {
        // The report is new here once it is here.
        m_observe(*event);
      }
    }
  }

  void takeMessages(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
      if (line.starts_with(kOwnErrors)) {
        m_ownErrors +=
            fmt::format("{}{}", m_ownErrors.empty() ? "" : "\n", line.substr(kOwnErrors.size()));
      } else if (!line.empty()) {
        say("warning", std::string(line));
      }
    }
  }

  void say(std::string level, std::string text) const {
    m_observe(worker::Message{std::move(level), std::move(text)});
  }

  Result<FinishedStudy> finish() {
    worker::StudyFinished finished = m_finished.value_or(worker::StudyFinished{.status = "failed"});
    finished.report = m_folder->hasReport() ? m_folder->reportFile().string() : "";
    if (m_end->exitCode == 0 && m_finished) {
      m_observe(finished);
      auto loaded = ULP_TRY(report::loadReport(m_folder->path()));
      return FinishedStudy{std::move(loaded.report), m_folder->reportFile()};
    }
    const Error error =
        m_finished && !m_finished->error.empty() ? errorOfEvent(finished) : endWithoutWords();
    finished.status = error.code() == ErrorCode::Cancelled ? "cancelled" : "failed";
    finished.error = error.message();
    finished.errorCode = toString(error.code());
    m_observe(finished);
    return tl::unexpected(error);
  }

  /// Why a worker ended that did not say so itself.
  [[nodiscard]] Error endWithoutWords() const {
    constexpr int kCancelledCode = 130;
    constexpr int kBadInputCode = 2;
    const std::string& host = m_run.host.destination;
    if (m_end->exitCode == kCancelledCode || (m_hasCancelled && !m_isLost)) {
      return {ErrorCode::Cancelled, host + ": the study was stopped"};
    }
    if (!m_ownErrors.empty()) {
      return {m_end->exitCode == kBadInputCode ? ErrorCode::InvalidArgument : ErrorCode::Internal,
              host + ": " + m_ownErrors};
    }
    if (m_isLost) {
      return {ErrorCode::Device,
              host +
                  ": the study ended there without a word: the machine was restarted, or "
                  "everything of the user was ended; --resume makes what is missing"};
    }
    if (m_end->exitCode < 0) {
      return {m_end->signal == SIGKILL ? ErrorCode::OutOfMemory : ErrorCode::Internal,
              fmt::format("{}: the worker was ended there by signal {}{}; --resume makes what is "
                          "missing",
                          host,
                          m_end->signal,
                          m_end->signal == SIGKILL ? ", probably because memory ran out" : "")};
    }
    return {ErrorCode::Internal,
            fmt::format("{}: the worker ended there with exit code {}", host, m_end->exitCode)};
  }

  const RunArguments& m_arguments;
  const RemoteArguments& m_wishes;
  HostSignals& m_signals;
  worker::SkipRequests& m_skips;
  const std::function<void(const worker::Event&)>& m_observe;
  study::Study m_study;
  std::vector<SentFile> m_files;
  std::string m_sent;  ///< digest of them, and of what chooses what runs
  std::unique_ptr<worker::RunFolder> m_folder;
  remote::RemoteRun m_run;
  std::optional<remote::RemoteRun> m_replaced;
  int m_attempt = 0;
  std::unique_ptr<remote::Connection> m_connection;
  std::optional<remote::RunMirror> m_mirror;
  std::optional<Error> m_localError;  ///< no connection mends it
  bool m_hasCancelled = false;
  bool m_isWatching = false;  ///< the host was asked to tell
  std::optional<worker::StudyFinished> m_finished;
  std::string m_ownErrors;
  std::optional<remote::JobEnd> m_end;
  bool m_isLost = false;
};

}  // namespace

Result<FinishedStudy> runStudyOnHost(const RunArguments& arguments,
                                     HostSignals& signals,
                                     const std::shared_ptr<worker::SkipRequests>& skips,
                                     const std::function<void(const worker::Event&)>& observe) {
  return HostStudy(arguments, signals, *skips, observe).run();
}

}  // namespace ulp::cli
