// Stands for ulpscope-cli in the tests of the window: `gui_fake_worker run STUDY --progress jsonl
// [--output DIR] [--resume|--overwrite]` makes a report of two variants in the study's output_dir,
// one after the other. A line `# slow` in the study makes it wait for SIGINT after the first
// variant; `# crash` kills it there; with `# changed` it cannot resume.

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>

#include "core/report/model/report.h"
#include "runner/worker/events/events.h"
#include "tests/views/realistic_report.h"

namespace {

using ulp::worker::Event;

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): set by a signal handler
volatile std::sig_atomic_t stopAsked = 0;

void put(const Event& event) {
  std::cout << ulp::worker::toJsonLine(event) << std::endl;
}

std::string outputDirOf(const std::string& study) {
  const std::string key = "output_dir:";
  const std::size_t at = study.find(key);
  std::istringstream rest(study.substr(at == std::string::npos ? 0 : at + key.size()));
  std::string folder;
  rest >> folder;
  return folder;
}

std::string save(const ulp::report::Report& report, std::size_t runs, const std::string& folder) {
  ulp::report::Report partial = report;
  partial.runs.resize(runs);
  std::filesystem::create_directories(folder);
  if (!ulp::report::saveReport(partial, folder)) {
    std::exit(3);  // NOLINT(concurrency-mt-unsafe): the only thread
  }
  return folder + "/precision_report.json";
}

int cancelled(const std::string& report) {
  put(ulp::worker::StudyFinished{"cancelled", 1, report, "cancelled", "stopped"});
  return 130;
}

void finishRun(const ulp::report::Run& run) {
  put(ulp::worker::RunFinished{run.name, "finished", run.loss, run.seconds, run.peakBytes, ""});
}

/// A line of the study, or of the arguments.
bool says(const std::string& text, const char* words) {
  return text.find(words) != std::string::npos;
}

int runStudy(const std::string& text, const std::string& arguments) {
  const std::size_t output = arguments.find("--output ");
  std::string folder = outputDirOf(text);
  if (output != std::string::npos) {
    std::istringstream(arguments.substr(output + std::string("--output ").size())) >> folder;
  }
  if (says(text, "# changed") && says(arguments, "--resume")) {
    put(ulp::worker::StudyFinished{"failed",
                                   1,
                                   folder + "/precision_report.json",
                                   "invalid argument",
                                   "--resume: other weights",
                                   false,
                                   {"the weights digest was a, is now b"}});
    return 2;
  }
  const ulp::report::Report report =
      ulp::test::realisticReport({.layers = 4, .variants = {"bf16", "fp16"}});
  put(ulp::worker::StudyStarted{{"reference", "bf16", "fp16"}, folder, false});
  std::string path;
  for (std::size_t i = 0; i < report.runs.size(); ++i) {
    const ulp::report::Run& run = report.runs[i];
    put(ulp::worker::RunStarted{run.name, static_cast<int>(i), 3});
    put(ulp::worker::Progress{
        run.name, "forward", "decoder.1", (static_cast<double>(i) + 0.5) / 3.0, 2.0});
    put(ulp::worker::Message{"info", "computing " + run.name});
    finishRun(run);
    path = save(report, i + 1, folder);
    put(ulp::worker::ReportUpdated{path});
    if (i == 1 && says(text, "# crash")) {
      std::raise(SIGKILL);
    }
    while (i == 1 && says(text, "# slow")) {
      if (stopAsked != 0) {
        return cancelled(path);
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  put(ulp::worker::StudyFinished{"finished", 3, path, "", ""});
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, [](int) { stopAsked = 1; });
  if (argc < 3) {
    return 2;
  }
  std::ifstream file(argv[2]);
  std::ostringstream text;
  text << file.rdbuf();
  std::string arguments;
  for (int i = 3; i < argc; ++i) {
    arguments += std::string(argv[i]) + ' ';
  }
  return runStudy(text.str(), arguments);
}
