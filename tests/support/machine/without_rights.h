#pragma once

#include <csignal>
#include <cstdlib>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ulp::test {

/// While it lives, the process has the rights of nobody: root may write everywhere, and tests run
/// as root in containers. Elsewhere nothing changes.
class WithoutRootsRights {
 public:
  WithoutRootsRights() : m_isRoot(::geteuid() == 0 && ::seteuid(kNobody) == 0) {}
  ~WithoutRootsRights() {
    if (m_isRoot && ::seteuid(0) != 0) {
      std::abort();
    }
  }
  WithoutRootsRights(const WithoutRootsRights&) = delete;
  WithoutRootsRights& operator=(const WithoutRootsRights&) = delete;

 private:
  static constexpr uid_t kNobody = 65534;
  bool m_isRoot;
};

/// While it lives, no file can grow beyond `bytes`: writing fails as on a disk that is full.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : m_handler(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &m_before);
    rlimit limit = m_before;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &m_before);
    std::signal(SIGXFSZ, m_handler);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*m_handler)(int);
  rlimit m_before{};
};

}  // namespace ulp::test
