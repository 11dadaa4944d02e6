#pragma once

#include "core/counters/counters.h"
#include "core/counters/formula.h"

#include <QDialog>

#include <optional>
#include <string>
#include <vector>

class QCompleter;
class QLabel;
class QLineEdit;
class QPushButton;

namespace helio {

/// Dialog for a formula over counters. Errors are shown while the user types.
/// Threads: UI thread.
class RatioDialog : public QDialog {
    Q_OBJECT

public:
    /// `series` are the series of a view, from viewSeries(). `taken` are the existing formulas, which the user must not enter again.
    RatioDialog(std::vector<ViewSeries> series, std::vector<std::string> taken, QWidget* parent = nullptr);

    /// Returns the formula; nullopt while it has an error.
    std::optional<CounterFormula> formula() const;

private:
    QStringList names() const;
    QString problem() const; ///< Returns the error in the typed formula; empty if there is none.
    void check();
    void propose();
    void insert(const QString& name);
    void updateLook();

    std::vector<ViewSeries> m_series;
    std::vector<std::string> m_taken;
    QLineEdit* m_edit;
    QCompleter* m_names;
    QLabel* m_words;
    QPushButton* m_ok;
};

} // namespace helio
