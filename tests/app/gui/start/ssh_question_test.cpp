#include "app/gui/start/ssh_question.h"

#include <gtest/gtest.h>

#include <QtTest/QTest>
#include <QtWidgets/QDialogButtonBox>
#include <QtWidgets/QLabel>
#include <QtWidgets/QLineEdit>
#include <QtWidgets/QPushButton>

namespace ulp::app {
namespace {

constexpr auto kNewHost =
    "The authenticity of host '[127.0.0.1]:22 ([127.0.0.1]:22)' can't be established.\n"
    "ED25519 key fingerprint is SHA256:abc.\n"
    "Are you sure you want to continue connecting (yes/no/[fingerprint])? ";

TEST(SshQuestion, IsASecretOrAChoice) {
  EXPECT_EQ(whatSshAsks(QStringLiteral("Enter passphrase for key '/k': "), {}), SshAsks::Secret);
  EXPECT_EQ(whatSshAsks(QString::fromLatin1(kNewHost), {}), SshAsks::YesOrNo);
  EXPECT_EQ(whatSshAsks(QStringLiteral("Allow use of key?"), QStringLiteral("confirm")),
            SshAsks::YesOrNo);
  EXPECT_EQ(whatSshAsks(QStringLiteral("Confirm user presence"), QStringLiteral("none")),
            SshAsks::Nothing);
}

TEST(SshQuestion, HidesASecretAndGivesIt) {
  SshQuestion dialog(QStringLiteral("Enter passphrase for key '<b>k</b>': "), SshAsks::Secret);
  auto* secret = dialog.findChild<QLineEdit*>(QStringLiteral("secret"));
  ASSERT_NE(secret, nullptr);
  EXPECT_EQ(secret->echoMode(), QLineEdit::Password);
  EXPECT_EQ(dialog.findChild<QLabel*>(QStringLiteral("question"))->textFormat(), Qt::PlainText);
  QTest::keyClicks(secret, QStringLiteral("open sesame"));
  EXPECT_EQ(dialog.answer(), QStringLiteral("open sesame"));
}

TEST(SshQuestion, AHostIsRefusedUnlessTheUserSaysYes) {
  SshQuestion dialog(QString::fromLatin1(kNewHost), SshAsks::YesOrNo);
  auto* buttons = dialog.findChild<QDialogButtonBox*>();
  EXPECT_TRUE(buttons->button(QDialogButtonBox::No)->isDefault());
  EXPECT_EQ(dialog.answer(), QStringLiteral("no"));
  buttons->button(QDialogButtonBox::Yes)->click();
  EXPECT_EQ(dialog.answer(), QStringLiteral("yes"));
}

}  // namespace
}  // namespace ulp::app
