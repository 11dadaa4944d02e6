#pragma once

#include <QDialog>

class QDoubleSpinBox;

namespace helio {

/// Asks the user for the number of work units that each side processed: requests, frames, iterations.
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
