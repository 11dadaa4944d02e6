#pragma once

#include "core/timesync/host_clocks.h"
#include "widgets/workspace/view_context.h"

#include <QWidget>

class QComboBox;
class QGridLayout;
class QHBoxLayout;
class QLabel;
class QPushButton;

namespace helio {

class ToggleSwitch;
class UnitField;

/// Form that shows how the clock of one host is aligned, and lets the user change it. Each change is an undo step of ViewContext::clocks();
/// typed values are previewed while the user types.
/// Threads: UI thread.
class ClockForm : public QWidget {
    Q_OBJECT

public:
    explicit ClockForm(ViewContext& context, QWidget* parent = nullptr);

    void show(std::shared_ptr<const Timeline> timeline, const HostClockFacts& clock);
    using QWidget::show;

private:
    enum Method { Found, ByHand, Raw };

    void makeFields();
    void makeButtons();
    void wire();
    void resizeEvent(QResizeEvent* event) override;
    void layOut(bool isWide);
    void chooseMethod(int method);
    void typeOffset(const QString& text);
    void typeDrift(const QString& text);
    void keep(const QString& what);
    void alignAgain();
    void say(const QString& problem);
    QString name() const;
    Method methodNow() const;

    ViewContext& m_context;
    std::shared_ptr<const Timeline> m_timeline;
    HostClockFacts m_clock;
    /// Kind of messages from which the clock of the host can be computed, e.g. "packets"; empty if there are no such messages.
    QString m_messages;
    QLabel* m_title;
    QComboBox* m_method;
    UnitField* m_offset;
    UnitField* m_drift;
    QLabel* m_hint;
    ToggleSwitch* m_reference;
    QLabel* m_names[4]; ///< Labels of method, offset, drift and reference.
    QHBoxLayout* m_head;
    QGridLayout* m_grid;
    int m_isWide = -1;
    QPushButton* m_again;
    QPushButton* m_packets;
    QPushButton* m_sameMoment;
    QPushButton* m_import;
    QPushButton* m_export;
    QLabel* m_sentence;
    QLabel* m_reason;
};

} // namespace helio
