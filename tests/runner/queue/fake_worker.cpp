// Stands for ulpscope-cli in the tests of the job queue: `fake_worker run STUDY …` follows the
// lines of STUDY, one command a line.
//
//   started NAME…    run NAME I N    progress F    finish NAME    report PATH    done
//   line TEXT        write TEXT to standard output as it is
//   bytes N          write N bytes without a newline
//   say TEXT         write TEXT to standard error
//   args             write the arguments to standard error
//   sleep MS         wait; SIGINT or SIGTERM ends the worker as a cancelled one
//   deaf INT|TERM    from here on, do not listen to that signal
//   raise N          send signal N to itself
//   pid FILE         write the process id to FILE
//   hear             wait for a line on standard input and say it
//   skipped NAME     NAME was left out
//   exit CODE

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include "runner/worker/events/events.h"

namespace {

using namespace ulp::worker;  // NOLINT(google-build-using-namespace): a test program

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): set by a signal handler
volatile std::sig_atomic_t stopAsked = 0;

void onStop(int /*signal*/) {
  stopAsked = 1;
}

void put(const Event& event) {
  std::cout << toJsonLine(event) << std::endl;
}

int cancelled() {
  put(StudyFinished{"cancelled", 0, "", "cancelled", "stopped"});
  return 130;
}

bool sleepUnlessStopped(int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (std::chrono::steady_clock::now() < end) {
    if (stopAsked != 0) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return stopAsked == 0;
}

std::vector<std::string> words(std::istringstream& in) {
  std::vector<std::string> all;
  for (std::string word; in >> word;) {
    all.push_back(word);
  }
  return all;
}

template <class T>
T next(std::istringstream& in) {
  T value{};
  in >> value;
  return value;
}

void emitCommand(const std::string& command, std::istringstream& in) {
  if (command == "started") {
    put(StudyStarted{words(in), "out", false});
  } else if (command == "run") {
    const auto name = next<std::string>(in);
    const int index = next<int>(in);
    put(RunStarted{name, index, next<int>(in)});
  } else if (command == "progress") {
    put(Progress{"a", "forward", "decoder.0", next<double>(in), 1.5});
  } else if (command == "finish") {
    put(RunFinished{next<std::string>(in), "finished", 2.5, 0.5, 1024, ""});
  } else if (command == "skipped") {
    put(RunFinished{.run = next<std::string>(in), .status = "skipped", .error = {}});
  } else if (command == "report") {
    put(ReportUpdated{next<std::string>(in)});
  } else if (command == "done") {
    put(StudyFinished{"finished", 1, "out/precision_report.json", "", ""});
  }
}

void processCommand(const std::string& command, std::istringstream& in, int argc, char** argv) {
  if (command == "line") {
    std::string text;
    std::getline(in >> std::ws, text);
    std::cout << text << std::endl;
  } else if (command == "bytes") {
    std::cout << std::string(next<std::size_t>(in), '\xf0') << std::flush;
  } else if (command == "say") {
    std::string text;
    std::getline(in >> std::ws, text);
    std::cerr << text << std::endl;
  } else if (command == "args") {
    for (int i = 1; i < argc; ++i) {
      std::cerr << argv[i] << (i + 1 < argc ? '|' : '\n');
    }
  } else if (command == "deaf") {
    std::signal(next<std::string>(in) == "INT" ? SIGINT : SIGTERM, SIG_IGN);
  } else if (command == "raise") {
    const int number = next<int>(in);
    std::signal(number, SIG_DFL);  // a sanitizer would end it by an exit status of its own
    std::raise(number);
  } else if (command == "hear") {
    std::string text;
    std::getline(std::cin, text);
    std::cerr << "heard " << text << std::endl;
  } else if (command == "pid") {
    std::ofstream(next<std::string>(in)) << getpid() << std::endl;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, onStop);
  std::signal(SIGTERM, onStop);
  std::ifstream study(argc > 2 ? argv[2] : "/nonexistent");
  for (std::string line; std::getline(study, line);) {
    std::istringstream in(line);
    const auto command = next<std::string>(in);
    if (command == "sleep" && !sleepUnlessStopped(next<int>(in))) {
      return cancelled();
    }
    if (command == "exit") {
      return next<int>(in);
    }
    emitCommand(command, in);
    processCommand(command, in, argc, argv);
  }
  return 0;
}
