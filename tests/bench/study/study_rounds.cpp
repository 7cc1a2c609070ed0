#include <cstdio>
#include <iostream>
#include <stop_token>
#include <string>
#include <sys/resource.h>

#include "core/engine/engine.h"
#include "core/study/reading/study.h"
#include "runner/worker/session/study_runner.h"

/// Runs a study once for every line of standard input, all in one process, and answers each with
/// its seconds and the process's peak memory: the second round and later ones find memory and
/// kernels warm, as the PyTorch process beside it does. Arguments: study file, folder, threads.
int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: study_rounds STUDY FOLDER THREADS\n", stderr);
    return 2;
  }
  const auto study = ulp::study::loadStudy(argv[1], {});
  const auto engine = ulp::engine::loadEngine();
  if (!study || !engine) {
    std::fprintf(
        stderr, "study_rounds: %s\n", (study ? engine.error() : study.error()).message().c_str());
    return 1;
  }
  const ulp::worker::RunOptions options{.outputDir = argv[2],
                                        .threads = std::stoi(argv[3]),
                                        .existing = ulp::worker::ExistingResults::Overwrite};
  std::puts("ready");
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    double passes = 0;
    double seconds = 0;
    const auto emit = [&](const ulp::worker::Event& event) {
      if (const auto* run = std::get_if<ulp::worker::RunFinished>(&event)) {
        passes += run->seconds;
      } else if (const auto* end = std::get_if<ulp::worker::StudyFinished>(&event)) {
        seconds = end->seconds;
      }
    };
    if (const auto done = ulp::worker::runStudy(*study, options, **engine, emit, {}); !done) {
      std::fprintf(stderr, "study_rounds: %s\n", done.error().message().c_str());
      return 1;
    }
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    std::printf("{\"seconds\": %.6f, \"passes\": %.6f, \"peak\": %lld}\n",
                seconds,
                passes,
                static_cast<long long>(usage.ru_maxrss) * 1024);
    std::fflush(stdout);
  }
  return 0;
}
