#pragma once

#include <QtCore/QTranslator>

namespace ulp::app {

/// Shows where texts are cut off and which were never given to a translator: "Open" becomes
/// "[Open ··]", as much longer as translations may get.
class PseudoTranslator : public QTranslator {
  Q_OBJECT

 public:
  using QTranslator::QTranslator;

  [[nodiscard]] static QString lengthened(const QString& source);

  [[nodiscard]] QString translate(const char* context,
                                  const char* source,
                                  const char* disambiguation,
                                  int n) const override;
  [[nodiscard]] bool isEmpty() const override { return false; }
};

}  // namespace ulp::app
