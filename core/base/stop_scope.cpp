#include "core/base/stop_scope.h"

#include <utility>

namespace ulp {
namespace {

std::stop_token& stopOfThisThread() {
  thread_local std::stop_token stop;
  return stop;
}

}  // namespace

StopScope::StopScope(std::stop_token stop)
    : m_before(std::exchange(stopOfThisThread(), std::move(stop))) {}

StopScope::~StopScope() {
  stopOfThisThread() = std::move(m_before);
}

std::stop_token currentStop() {
  return stopOfThisThread();
}

}  // namespace ulp
