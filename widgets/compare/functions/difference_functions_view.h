#pragma once

#include "widgets/compare/difference/difference_model.h"
#include "widgets/controls/field_grid.h"

class QLineEdit;
class QStackedWidget;

namespace helio {

class DifferenceTable;
class EmptyPage;
class Pill;

/// The functions of both sides on a page of their own, with a filter.
class DifferenceFunctionsView : public PanelGround {
    Q_OBJECT

public:
    explicit DifferenceFunctionsView(DifferenceModel& model, QWidget* parent = nullptr);

    DifferenceTable& table() { return *m_table; }

private:
    void showState();

    DifferenceModel& m_model;
    QLabel* m_title;
    QLabel* m_count;
    Pill* m_totals;
    Pill* m_copy;
    QLineEdit* m_filter;
    QStackedWidget* m_stack;
    EmptyPage* m_page;
    DifferenceTable* m_table;
};

/// "1 run in A, mean of 4 runs in B; 1 604 and 6 471 samples": what a difference is of.
QString basisText(const ShownDifference& shown);

} // namespace helio
