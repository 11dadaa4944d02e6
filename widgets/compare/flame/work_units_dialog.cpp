#include "widgets/compare/flame/work_units_dialog.h"

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QLabel>

namespace helio {

namespace {

QDoubleSpinBox* makeField(double value)
{
    auto* field = new QDoubleSpinBox;
    field->setDecimals(3);
    field->setRange(0.001, 1e15);
    field->setValue(value);
    field->setMinimumWidth(160);
    field->selectAll();
    return field;
}

} // namespace

WorkUnitsDialog::WorkUnitsDialog(double a, double b, QWidget* parent)
    : QDialog(parent)
    , m_a(makeField(a))
    , m_b(makeField(b))
{
    setWindowTitle(tr("Per unit of work"));
    auto* form = new QFormLayout(this);
    auto* words = new QLabel(tr("How much work did each side do? Requests, frames, iterations: whatever you counted.\n"
                                "Times are then of one of them."));
    form->addRow(words);
    form->addRow(tr("Units of work in A"), m_a);
    form->addRow(tr("Units of work in B"), m_b);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    form->addRow(buttons);
}

double WorkUnitsDialog::unitsA() const { return m_a->value(); }
double WorkUnitsDialog::unitsB() const { return m_b->value(); }

} // namespace helio
