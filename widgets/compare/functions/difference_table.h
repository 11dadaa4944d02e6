#pragma once

#include "widgets/compare/functions/difference_functions.h"

#include <QTreeView>

namespace helio {

/// Table of the functions of a comparison: name, A, B, B - A, ratio and z. Clicking a title sorts; the context menu copies a cell, rows, or
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

} // namespace helio
