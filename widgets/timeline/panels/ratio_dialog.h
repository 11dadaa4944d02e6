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

/// Asks for a formula over counters. What is wrong with it is said while it is written. UI thread.
class RatioDialog : public QDialog {
    Q_OBJECT

public:
    /// `series`: of a view, as viewSeries() has them. `taken`: the formulas that are there already.
    RatioDialog(std::vector<ViewSeries> series, std::vector<std::string> taken, QWidget* parent = nullptr);

    /// Nothing while it is wrong.
    std::optional<CounterFormula> formula() const;

private:
    QStringList names() const;
    QString problem() const; ///< Empty: there is none.
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
