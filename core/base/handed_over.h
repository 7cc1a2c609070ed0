#pragma once

#include <utility>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace ulp {

/// A function without arguments that one thread makes and a library calls, or drops, on another.
/// ThreadSanitizer does not see the locks of a library that was not compiled for it, such as Qt:
/// this tells it that what the first thread did until then happens before what the other one does.
/// In other builds it is the function alone. Whatever is posted to another thread goes through it.
template <class Function>
class HandedOver {
 public:
  explicit HandedOver(Function function) : m_function(std::move(function)) { release(); }
  // The library keeps a copy: what counts is the place where that lies.
  HandedOver(const HandedOver& other) : m_function(other.m_function) { release(); }
  HandedOver(HandedOver&& other) noexcept : m_function(std::move(other.m_function)) { release(); }
  HandedOver& operator=(const HandedOver&) = delete;
  HandedOver& operator=(HandedOver&&) = delete;
  ~HandedOver() { acquire(); }

  void operator()() {
    acquire();
    m_function();
    release();
  }

 private:
#if defined(__SANITIZE_THREAD__)
  void release() {
    __tsan_release(this);
  }
  void acquire() {
    __tsan_acquire(this);
  }
#else
  void release() {}
  void acquire() {}
#endif

  Function m_function;
};

}  // namespace ulp
