#pragma once

#include "widgets/controls/palette_model.h"

#include <QLineEdit>
#include <QPointer>

class QFrame;
class QListView;

namespace helio {

/// The field in the header with the command palette below it. Enter runs the chosen line, Esc returns the focus to the widget that had it.
class Omnibox : public QLineEdit {
    Q_OBJECT

public:
    explicit Omnibox(QWidget* parent = nullptr);

    PaletteModel& model() { return m_model; }
    /// Takes the focus, sets this text (e.g. a prefix: ">", ":") and shows the list.
    void open(const QString& text = {});
    bool isOpen() const;

signals:
    void opened(); ///< The list is about to be shown: receivers update its items.

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
    QPointer<QWidget> m_before; ///< The widget that had the focus before.
};

} // namespace helio
