#pragma once

#include "widgets/compare/functions/difference_functions.h"
#include "widgets/controls/field_grid.h"

#include <QTreeView>

class QLineEdit;
class QStackedWidget;

namespace helio {

class EmptyPage;
class Pill;

/// Table of a comparison's functions: name, A, B, B - A, ratio and z. A click on a title sorts; the context menu copies a cell, rows, or
/// all rows as CSV.
class DifferenceTable : public QTreeView {
    Q_OBJECT

public:
    explicit DifferenceTable(DifferenceModel& model, QWidget* parent = nullptr);

    DifferenceFunctions& functions() { return m_functions; }
    void copyCsv() const;

private:
    void showMenu(QPoint at);
    void showEvent(QShowEvent* event) override;
    void refill();
    void selectChosen();

    DifferenceModel& m_model;
    DifferenceFunctions m_functions;
    bool m_isSelecting = false;
    bool m_isOld = true;
};

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

/// Returns which runs and how many samples a comparison is based on, e.g. "1 run in A, mean of 4 runs in B; 1 604 and 6 471 samples".
QString basisText(const DifferenceResult& shown);

} // namespace helio
