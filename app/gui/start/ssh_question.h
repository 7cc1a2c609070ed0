#pragma once

#include <QtCore/QString>
#include <QtWidgets/QDialog>

class QLineEdit;

namespace ulp::app {

/// What ssh asks by this program (SSH_ASKPASS): a secret, whether a host or a key is the right one,
/// or it says something, such as that a key has to be touched.
enum class SshAsks : std::uint8_t { Secret, YesOrNo, Nothing };
/// By the question and $SSH_ASKPASS_PROMPT.
[[nodiscard]] SshAsks whatSshAsks(const QString& question, const QString& hint);

/// Shows a question of ssh to the user.
class SshQuestion : public QDialog {
  Q_OBJECT

 public:
  SshQuestion(const QString& question, SshAsks asks, QWidget* parent = nullptr);

  /// For ssh: the secret, "yes" or "no".
  [[nodiscard]] QString answer() const;

 private:
  SshAsks m_asks;
  QLineEdit* m_secret = nullptr;
};

/// Asks, prints the answer and gives the exit code: 0, or 1 where the user did not answer.
[[nodiscard]] int answerSsh(const QString& question);

}  // namespace ulp::app
