#include "core/remote/jobs/process_identity.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

namespace ulp::remote {
namespace {

/// A process that waits.
class Bystander {
 public:
  Bystander() : m_pid(::fork()) {
    if (m_pid == 0) {
      ::pause();
      ::_exit(0);
    }
  }
  ~Bystander() {
    ::kill(m_pid, SIGKILL);
    ::waitpid(m_pid, nullptr, 0);
  }
  Bystander(const Bystander&) = delete;
  Bystander& operator=(const Bystander&) = delete;

  [[nodiscard]] pid_t pid() const { return m_pid; }
  [[nodiscard]] bool lives() const { return ::waitpid(m_pid, nullptr, WNOHANG) == 0; }

 private:
  pid_t m_pid;
};

TEST(ProcessIdentity, IsTheSameOnTheWayThroughAFile) {
  const auto own = identityOf(::getpid());
  ASSERT_TRUE(own);
  EXPECT_GT(own->started, 0U);
  EXPECT_EQ(own->boot.size(), 36U);
  EXPECT_EQ(identityIn(toJson(*own)), *own);
}

TEST(ProcessIdentity, SignalsNobodyWhoHasTheNumberNow) {
  const Bystander bystander;
  auto other = identityOf(bystander.pid()).value();
  other.started -= 1;
  EXPECT_EQ(signalProcess(other, SIGKILL).error().code(), ErrorCode::NotFound);
  other = identityOf(bystander.pid()).value();
  other.boot = "another start of the machine";
  EXPECT_EQ(signalProcess(other, SIGKILL).error().code(), ErrorCode::NotFound);
  other = identityOf(bystander.pid()).value();
  other.machine = "another machine";
  EXPECT_EQ(signalProcess(other, SIGKILL).error().code(), ErrorCode::Unsupported);
  EXPECT_TRUE(bystander.lives());
  EXPECT_TRUE(signalProcess(identityOf(bystander.pid()).value(), SIGKILL));
}

TEST(ProcessIdentity, KnowsNoProcessThatHasEnded) {
  EXPECT_EQ(identityOf(0).error().code(), ErrorCode::NotFound);
  EXPECT_EQ(identityOf(-1).error().code(), ErrorCode::NotFound);
}

}  // namespace
}  // namespace ulp::remote
