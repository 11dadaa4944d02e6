#pragma once

#include <QDialog>

class QDoubleSpinBox;

namespace helio {

/// Asks how much work each side did: requests, frames, iterations.
class WorkUnitsDialog : public QDialog {
    Q_OBJECT

public:
    WorkUnitsDialog(double a, double b, QWidget* parent = nullptr);

    double unitsA() const;
    double unitsB() const;

private:
    QDoubleSpinBox* m_a;
    QDoubleSpinBox* m_b;
};

} // namespace helio
