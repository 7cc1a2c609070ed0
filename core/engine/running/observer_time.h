#pragma once

#include <chrono>

#include "core/engine/placement/layer_devices.h"

namespace ulp::engine {

/// How much of the passes' time was their observer's, which no run is to be charged with. Used by
/// one thread at a time.
class ObserverTime {
 public:
  using Seconds = std::chrono::duration<double>;

  explicit ObserverTime(const LayerDevices& devices) : m_doDevicesGoOn(devices.haveCuda()) {}

  /// `tell` runs while the devices do nothing: all they were given was waited for.
  template <class Tell>
  void whileDevicesRest(const Tell& tell) {
    const Stopwatch stopwatch(m_total);
    tell();
  }
  /// `tell` runs without anybody having waited. A CUDA device then computes on, so that time of the
  /// run passes meanwhile: nothing of it is the observer's alone, and how much the device lacks
  /// work for it nobody knows without waiting, which would slow the run down.
  template <class Tell>
  void whileDevicesGoOn(const Tell& tell) {
    if (m_doDevicesGoOn) {
      tell();
    } else {
      whileDevicesRest(tell);
    }
  }

  [[nodiscard]] Seconds total() const { return m_total; }

 private:
  /// Adds up the time until it goes out of scope, with an exception or without.
  class Stopwatch {
   public:
    explicit Stopwatch(Seconds& total)
        : m_total(&total), m_start(std::chrono::steady_clock::now()) {}
    ~Stopwatch() { *m_total += std::chrono::steady_clock::now() - m_start; }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

   private:
    Seconds* m_total;
    std::chrono::steady_clock::time_point m_start;
  };

  bool m_doDevicesGoOn;
  Seconds m_total{0};
};

}  // namespace ulp::engine
