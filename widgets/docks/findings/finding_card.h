#pragma once

#include "core/findings/finding.h"

#include <QWidget>

class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;

namespace helio {

/// A finding in a list: its rank, its sentence, the time that it explains, and links to its evidence. The selected card also shows when the
/// finding applied, the command with which to go on, and steps through the evidence.
/// Threads: UI thread.
class FindingCard : public QWidget {
    Q_OBJECT

public:
    /// `rank`: position in the list, from 1. `window`: the range in which was looked. `whole`: the range of the strip "When".
    FindingCard(const Finding& finding, int rank, TimeRange window, TimeRange whole, QWidget* parent = nullptr);

    const Finding& finding() const { return m_finding; }
    bool isSelected() const { return m_isSelected; }
    void setSelected(bool isSelected);
    /// Sets the shown occurrence, an index into Finding::evidence. Requires: there is evidence.
    void setStep(std::size_t step);
    std::size_t step() const { return m_step; }
    QString plainText() const; ///< Returns the finding as lines of text, for copying.

signals:
    void selected();
    void showRequested();
    void explainRequested();
    void stepRequested(int change); ///< Requests to go to an earlier (-1) or later (1) occurrence.

private:
    void makeMore(TimeRange whole);
    void updateStep();
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

    Finding m_finding;
    bool m_isSelected = false;
    std::size_t m_step = 0;
    QLabel* m_links;
    QWidget* m_more; ///< Part that only the selected card shows.
    QLabel* m_position = nullptr;
    QPushButton* m_earlier = nullptr;
    QPushButton* m_later = nullptr;
};

} // namespace helio
