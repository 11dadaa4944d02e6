#pragma once

#include "widgets/controls/field_grid.h"

#include <QTimer>

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace helio {

/// A field for an expression with what is wrong with it below, and a remark at its right. What is written is submitted when the hand rests;
/// Enter does not wait.
class ExpressionField : public PanelGround {
    Q_OBJECT

public:
    ExpressionField(const QString& name, const QString& hint, QWidget* parent = nullptr);

    void setHint(const QString& hint); ///< Where nothing is written.
    QString text() const;
    void setText(const QString& text);
    void setProblem(const QString& problem); ///< "column 7: a value is missing after =="; empty: none.
    void setRemark(const QString& remark); ///< "1 204 of 6.77 M"
    void focus();
    void addWidget(QWidget* widget); ///< At the right end.

signals:
    void submitted(const QString& text);

private:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void updateLook();
    void submit();
    void goToProblem();

    QLineEdit* m_edit;
    QLabel* m_problem;
    QLabel* m_remark;
    QHBoxLayout* m_line;
    QTimer m_rest; ///< Runs while somebody writes.
};

} // namespace helio
