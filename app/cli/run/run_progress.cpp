#include "app/cli/run/run_progress.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>
#include <ostream>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/cli/terminal_text.h"
#include "core/base/text/format_number.h"
#include "core/report/model/report.h"

namespace ulp::cli {
namespace {

using worker::Event;
using Clock = std::chrono::steady_clock;

constexpr std::string_view kFinished = "finished";

bool isProblem(const worker::Message& message) {
  return message.level != "info";
}

std::string describe(const worker::Message& message) {
  return isProblem(message) ? fmt::format("{}: {}", message.level, message.text) : message.text;
}

std::string describe(const worker::RunFinished& run) {
  if (run.status == report::toString(report::RunStatus::Skipped)) {
    return run.run + " skipped";
  }
  if (run.status != kFinished) {
    return fmt::format("{} {}: {}", run.run, run.status, run.error);
  }
  return fmt::format(
      "{}  loss {}  {}", run.run, formatSignificant(run.loss, 6), formatDuration(run.seconds));
}

/// ", sample 2 of 8", or nothing of one.
std::string sampleText(const worker::RunStarted& event) {
  return event.samples > 1 ? fmt::format(", sample {} of {}", event.sample + 1, event.samples) : "";
}

constexpr int kProgressBarWidth = 16;

std::string barText(double fraction) {
  const int filled =
      std::clamp(static_cast<int>(std::lround(fraction * kProgressBarWidth)), 0, kProgressBarWidth);
  return fmt::format("{:━<{}}{:╌<{}}", "", filled, "", kProgressBarWidth - filled);
}

/// 0:07, 12:34, 1:02:03.
std::string clockText(double seconds) {
  const auto whole = static_cast<long>(seconds);
  constexpr long kMinute = 60;
  constexpr long kHour = 3600;
  return whole < kHour
             ? fmt::format("{}:{:02}", whole / kMinute, whole % kMinute)
             : fmt::format(
                   "{}:{:02}:{:02}", whole / kHour, whole % kHour / kMinute, whole % kMinute);
}

/// Seconds left of the study, or, before that is known, of what goes on; empty: not known either.
std::string leftText(const worker::Progress& event, std::string (*formatted)(double)) {
  if (event.etaSeconds) {
    return fmt::format(", {} left", formatted(*event.etaSeconds));
  }
  const bool isBeforeRuns = event.phase == "choose";
  return isBeforeRuns && event.runEtaSeconds
             ? fmt::format(", {} left of choosing", formatted(*event.runEtaSeconds))
             : "";
}

/// The end of a text that is too long: of a module path it says the most.
std::string lastPart(const std::string& text, int width) {
  constexpr int kShortest = 8;
  const auto size = static_cast<int>(text.size());
  if (size <= width) {
    return text;
  }
  const int cut = size - width + 1;
  return width < kShortest ? "" : "…" + text.substr(static_cast<std::size_t>(cut));
}

/// One line for everything that happens, and one every few seconds between.
class PlainProgress {
 public:
  explicit PlainProgress(ProgressStreams streams) : m_err(streams.err) {}

  void on(const worker::StudyStarted& event) {
    line(fmt::format("{} {}: {}",
                     event.resumed ? "Resuming" : "Running",
                     event.outputDir,
                     fmt::join(event.runs, ", ")));
  }
  void on(const worker::RunStarted& event) {
    // Of many short samples not every run is news.
    if (event.sample == 0 || Clock::now() - m_last >= kInterval) {
      line(fmt::format("[{}/{}] {}{}", event.index + 1, event.total, event.run, sampleText(event)));
    }
  }
  void on(const worker::Progress& event) {
    if (Clock::now() - m_last < kInterval) {
      return;
    }
    const std::string left = leftText(event, formatDuration);
    line(fmt::format("{:.0f} %  {} {}{}", event.fraction * 100, event.phase, event.site, left));
  }
  void on(const worker::RunFinished& event) { line("  " + describe(event)); }
  void on(const worker::ReportUpdated& /*event*/) {}
  void on(const worker::MemoryUse& /*event*/) {}
  void on(const worker::Message& event) { line(describe(event)); }
  void on(const worker::StudyFinished& event) {
    line(fmt::format("Study {} in {}", event.status, formatDuration(event.seconds)));
  }

 private:
  static constexpr std::chrono::seconds kInterval{5};

  void line(std::string_view text) {
    m_err << text << std::endl;
    m_last = Clock::now();
  }

  std::ostream& m_err;
  Clock::time_point m_last = Clock::now();
};

/// Finished runs as lines that stay, and below them one line that is redrawn.
class LiveProgress {
 public:
  explicit LiveProgress(ProgressStreams streams) : m_streams(streams) {}

  ~LiveProgress() {
    if (m_isDrawn) {
      m_streams.err << kEraseLine << std::flush;
    }
  }
  LiveProgress(const LiveProgress&) = delete;
  LiveProgress& operator=(const LiveProgress&) = delete;

  void on(const worker::StudyStarted& event) {
    if (event.resumed) {
      keep("Resuming " + event.outputDir);
    }
  }
  void on(const worker::RunStarted& event) { m_run = event; }
  void on(const worker::Progress& event) { draw(event); }
  void on(const worker::RunFinished& event) {
    const bool isFinished = event.status == kFinished;
    keep(describe(event), isFinished ? Mark{kGreen, "✓ "} : Mark{kRed, "✗ "});
  }
  void on(const worker::ReportUpdated& /*event*/) {}
  void on(const worker::MemoryUse& /*event*/) {}
  void on(const worker::Message& event) {
    keep(describe(event), isProblem(event) ? Mark{kYellow, "▲ "} : Mark{{}, "  "});
  }
  void on(const worker::StudyFinished& /*event*/) {
    m_streams.err << kEraseLine << std::flush;
    m_isDrawn = false;
  }

 private:
  /// Blanks between the parts of the line, and the last column, which stays free.
  static constexpr int kGaps = 4;

  static constexpr TerminalCode kRed{"\033[31m"};
  static constexpr TerminalCode kGreen{"\033[32m"};
  static constexpr TerminalCode kYellow{"\033[33m"};
  static constexpr TerminalCode kCyan{"\033[36m"};
  static constexpr TerminalCode kUsualColour{"\033[0m"};

  struct Mark {
    TerminalCode colour;
    std::string text;
  };

  void write(const Mark& mark) {
    if (m_streams.hasColour && !mark.colour.code.empty()) {
      m_streams.err << mark.colour << mark.text << kUsualColour;
    } else {
      m_streams.err << mark.text;
    }
  }

  void keep(std::string_view text, const Mark& mark = {}) {
    m_streams.err << kEraseLine;
    write(mark);
    m_streams.err << text << '\n' << std::flush;
    m_isDrawn = false;
  }

  void draw(const worker::Progress& event) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - m_start).count();
    // Of several workers it may be another run than the one that began last.
    const std::string& run = event.run.empty() ? m_run.run : event.run;
    const std::string head =
        m_run.total == 0 ? "" : fmt::format("{}/{} {} ", m_run.index + 1, m_run.total, run);
    const std::string left = leftText(event, clockText);
    const std::string times =
        fmt::format("{:3.0f} %  {}{}", event.fraction * 100, clockText(elapsed), left);
    const std::string place = event.site.empty() ? event.phase : event.phase + " " + event.site;
    const auto used = static_cast<int>(head.size() + times.size()) + kProgressBarWidth + kGaps;
    m_streams.err << kEraseLine << head;
    write({kCyan, barText(event.fraction)});
    m_streams.err << ' ' << times << "  " << lastPart(place, m_streams.width - used) << std::flush;
    m_isDrawn = true;
  }

  ProgressStreams m_streams;
  worker::RunStarted m_run;
  Clock::time_point m_start = Clock::now();
  bool m_isDrawn = false;
};

template <class Progress>
RunProgress shownBy(ProgressStreams streams) {
  return [progress = std::make_shared<Progress>(streams)](const Event& event) {
    std::visit([&](const auto& each) { progress->on(each); }, event);
  };
}

}  // namespace

std::optional<ProgressMode> parseProgressMode(std::string_view name, bool errIsTerminal) {
  if (name == "auto") {
    return errIsTerminal ? ProgressMode::Live : ProgressMode::Plain;
  }
  if (name == "plain") {
    return ProgressMode::Plain;
  }
  if (name == "jsonl") {
    return ProgressMode::JsonLines;
  }
  return name == "none" ? std::optional(ProgressMode::None) : std::nullopt;
}

std::string_view nameOf(ProgressMode mode) {
  switch (mode) {
    case ProgressMode::Live:
      return "auto";
    case ProgressMode::Plain:
      return "plain";
    case ProgressMode::JsonLines:
      return "jsonl";
    case ProgressMode::None:
      break;
  }
  return "none";
}

RunProgress makeRunProgress(ProgressMode mode, ProgressStreams streams) {
  switch (mode) {
    case ProgressMode::Live:
      return shownBy<LiveProgress>(streams);
    case ProgressMode::Plain:
      return shownBy<PlainProgress>(streams);
    case ProgressMode::JsonLines:
      return [&out = streams.out](const Event& event) { out << toJsonLine(event) << std::endl; };
    case ProgressMode::None:
      break;
  }
  // What fails the study is reported by the command itself.
  return [&err = streams.err](const Event& event) {
    const auto* message = std::get_if<worker::Message>(&event);
    if (message != nullptr && isProblem(*message)) {
      err << describe(*message) << std::endl;
    }
  };
}

int terminalWidth() {
  constexpr int kUsual = 80;
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsual;
}

}  // namespace ulp::cli
