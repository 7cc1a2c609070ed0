#pragma once

#include <memory>
#include <vector>

#include <QtCore/QString>
#include <QtCore/QStringList>
#include <QtCore/QTranslator>

namespace ulp::app {

/// The language of the window while this lives. Must exist before the first text is made. In every
/// language numbers are written and read with a decimal point and without separators.
class Translations {
 public:
  /// `language`: "system", or a name as in kLanguage. `pseudo`: lengthened English instead.
  Translations(const QString& language, bool pseudo);
  ~Translations();
  Translations(const Translations&) = delete;
  Translations& operator=(const Translations&) = delete;

 private:
  void load(const QString& file, const QString& folder);
  void install(std::unique_ptr<QTranslator> translator);

  std::vector<std::unique_ptr<QTranslator>> m_installed;
};

/// Name of the translation for the first of the user's languages that there is: "zh_CN", or "de"
/// for "de-AT"; "en", which holds the plurals alone, where there is none. `wanted` as
/// QLocale::uiLanguages() lists them.
[[nodiscard]] QString translationFor(const QStringList& wanted);

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
