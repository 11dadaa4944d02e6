#pragma once

#include "widgets/controls/palette_model.h"

#include <QLineEdit>
#include <QPointer>

class QFrame;
class QListView;

namespace helio {

/// Input field in the header with the command palette below it. Enter runs the current line; Esc returns the focus to the widget that had
/// it before.
class Omnibox : public QLineEdit {
    Q_OBJECT

public:
    explicit Omnibox(QWidget* parent = nullptr);

    PaletteModel& model() { return m_model; }
    /// Sets the focus to the field, sets its text (e.g. a prefix: ">", ":"), and shows the list.
    void open(const QString& text = {});
    bool isOpen() const;

signals:
    void opened(); ///< Emitted before the list is shown, so that receivers can update the items first.

private:
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

    void showList();
    void hideList();
    void run(int line);
    void leave();
    void placeList();
    void updateLook();

    PaletteModel m_model;
    QFrame* m_frame;
    QListView* m_list;
    QPointer<QWidget> m_before; ///< Widget that had the focus before the list was opened.
};

} // namespace helio
