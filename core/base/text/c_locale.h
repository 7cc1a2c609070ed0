#pragma once

#include <clocale>
#include <locale.h>

namespace ulp {

/// While one lives, what this thread writes and reads through the C library has points in its
/// numbers and English names in its dates. The process may have the locale of its user: Qt takes
/// that over, and a library can at any time.
class CLocale {
 public:
  CLocale() : m_before(::uselocale(::newlocale(LC_ALL_MASK, "C", nullptr))) {}
  ~CLocale() { ::uselocale(m_before); }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  ::locale_t m_before;
};

}  // namespace ulp
