#pragma once

#include "widgets/compare/difference/difference_model.h"
#include "widgets/controls/field_grid.h"

class QLineEdit;
class QStackedWidget;

namespace helio {

class DifferenceTable;
class EmptyPage;
class Pill;

/// Page with the table of the functions of both sides and a filter.
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

/// Says which runs and how many samples a comparison is based on, e.g. "1 run in A, mean of 4 runs in B; 1 604 and 6 471 samples".
QString basisText(const DifferenceResult& shown);

} // namespace helio
