#pragma once

#include "widgets/controls/field_grid.h"

#include <QTimer>

class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace helio {

/// Input field for an expression, with an error message below and a remark at the right. The text is submitted when the user stops typing,
/// or presses Enter.
class ExpressionField : public PanelGround {
    Q_OBJECT

public:
    ExpressionField(const QString& name, const QString& hint, QWidget* parent = nullptr);

    void setHint(const QString& hint); ///< Sets the text that is shown while the field is empty.
    QString text() const;
    void setText(const QString& text);
    /// Sets the error message, e.g. "column 7: a value is missing after =="; empty if the expression is valid.
    void setProblem(const QString& problem);
    void setRemark(const QString& remark); ///< Sets the text at the right of the field, e.g. "1 204 of 6.77 M".
    void focus();
    void addWidget(QWidget* widget); ///< Adds a widget at the right end of the field.

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
    QTimer m_rest; ///< Timer that each key press restarts; the text is submitted when it times out.
};

} // namespace helio
