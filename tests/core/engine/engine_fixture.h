#pragma once

#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/engine/engine.h"

namespace ulp::engine {

/// The engine, opened once for all tests of a binary.
inline Engine& sharedEngine() {
  static const auto kEngine = [] {
    auto loaded = loadEngine();
    if (!loaded) {
      ADD_FAILURE() << loaded.error().message();
      std::abort();
    }
    (*loaded)->setThreads(1);
    return *loaded;
  }();
  return *kEngine;
}

inline Result<std::unique_ptr<Model>> tryOpen(const ModelRequest& request) {
  return sharedEngine().openModel(request, std::stop_token());
}

inline std::unique_ptr<Model> openOrFail(const ModelRequest& request) {
  auto model = tryOpen(request);
  if (!model) {
    ADD_FAILURE() << model.error().message();
    std::abort();
  }
  return std::move(*model);
}

/// A capture with its site and a copy of its elements as they were when it was observed.
struct Seen {
  Site site;
  Capture capture;
  std::vector<std::byte> bytes;

  [[nodiscard]] double at(std::size_t i) const { return numerics::elementAt(capture.view, i); }
  [[nodiscard]] std::size_t count() const { return capture.view.count(); }
};

/// Keeps everything that it is shown. `onObserve` and `onProgress` may interfere.
class Recorder final : public Observer {
 public:
  std::function<bool(const Site&)> filter = [](const Site&) { return true; };
  std::function<Result<>(const Site&)> onObserve = [](const Site&) { return Result<>(); };
  std::function<void(Pass, std::string_view)> onProgress = [](Pass, std::string_view) {};
  std::vector<Seen> seen;
  std::vector<Site> asked;

  bool wants(const Site& site) override {
    asked.push_back(site);
    return filter(site);
  }
  Result<> observe(const Site& site, const Capture& capture) override {
    const Capture onHost = ULP_TRY(capture.onHost());
    const auto bytes = onHost.view.bytes();
    seen.push_back({site, onHost, {bytes.begin(), bytes.end()}});
    return onObserve(site);
  }
  void progressed(Pass pass, std::string_view site) override { onProgress(pass, site); }

  [[nodiscard]] const Seen& of(std::string_view name, Pass pass) const {
    for (const Seen& one : seen) {
      if (one.site.name == name && one.site.pass == pass) {
        return one;
      }
    }
    ADD_FAILURE() << "nothing was observed at " << name << ", " << toString(pass);
    std::abort();
  }
};

inline RunRequest requestOf(DType compute, std::int64_t vocabulary, std::int64_t length = 9) {
  RunRequest request;
  request.plan.formats[numerics::Operation::Compute] = numerics::formatOf(compute);
  request.microBatches = {sharedEngine().randomTokens(vocabulary, 2, length, 7).value()};
  return request;
}

inline Recorder runOrFail(Model& model, const RunRequest& request) {
  Recorder recorder;
  const auto outcome = model.run(request, recorder, std::stop_token());
  EXPECT_TRUE(outcome) << (outcome ? "" : outcome.error().message());
  return recorder;
}

inline Error runError(Model& model, const RunRequest& request, Recorder& recorder) {
  const auto outcome = model.run(request, recorder, std::stop_token());
  EXPECT_FALSE(outcome);
  return outcome ? Error(ErrorCode::Internal, "no error") : outcome.error();
}

inline void expectSameRuns(const Recorder& a, const Recorder& b) {
  ASSERT_EQ(a.seen.size(), b.seen.size());
  for (std::size_t i = 0; i < a.seen.size(); ++i) {
    ASSERT_EQ(a.seen[i].site, b.seen[i].site);
    ASSERT_EQ(a.seen[i].capture.view.shape, b.seen[i].capture.view.shape);
    ASSERT_EQ(a.seen[i].bytes, b.seen[i].bytes)
        << a.seen[i].site.name << ' ' << toString(a.seen[i].site.pass);
  }
}

/// rms(b - a) / rms(a)
inline double relativeError(const Seen& a, const Seen& b) {
  double difference = 0;
  double scale = 0;
  for (std::size_t i = 0; i < a.count(); ++i) {
    difference += (b.at(i) - a.at(i)) * (b.at(i) - a.at(i));
    scale += a.at(i) * a.at(i);
  }
  return scale == 0 ? difference : std::sqrt(difference / scale);
}

}  // namespace ulp::engine
