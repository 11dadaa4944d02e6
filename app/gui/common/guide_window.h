#pragma once

#include <QDialog>
#include <QString>
#include <QStringList>
#include <QTextBrowser>

#include <vector>

class QLabel;
class QLineEdit;
class QListWidget;
class QToolButton;

namespace helio {

class GuideBrowser;

/// Text of a page, a Markdown file in UTF-8; empty if it cannot be read.
QString readGuidePage(const QString& path);

/// Shows the Markdown pages of a folder in the colours of the theme. Headings are anchors, named as code hosts name them: "Open a trace" is
/// `open-a-trace`. Images are at most as wide as the browser. An image `x-light.png` beside `x.png` replaces it in the light theme,
/// whichever of the two the page names. Links are not followed: the owner connects anchorClicked(). UI thread.
class GuideBrowser : public QTextBrowser {
public:
    explicit GuideBrowser(const QString& folder);

    QVariant loadResource(int type, const QUrl& name) override;

    /// URL of a link that stands in the current page: `page.md`, `page.md#heading`, `#heading`, or an address elsewhere.
    QUrl resolvedLink(const QUrl& link) const;
    /// Loads the page again in the colours of the current theme; the scroll position stays.
    void restyle();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_folder;
};

/// The guide: Markdown pages with links between them, a list of the pages, and a search through all of them. Not modal; Esc closes it. UI
/// thread.
class GuideWindow : public QDialog {
    Q_OBJECT

public:
    /// `folder` holds the pages, *.md. guide.md is the first page; its links are the order of the other pages.
    explicit GuideWindow(const QString& folder, QWidget* parent = nullptr);

    /// Shows the guide of `window`, made at the first call, in front of it.
    static void showOver(QWidget& window, const QString& folder);

    /// An occurrence of the searched text.
    struct Hit {
        QString page; ///< File name.
        int number = 0; ///< Index among the hits of the page, from 0.
        QString text; ///< Excerpt of the page around the occurrence.
    };
    const std::vector<Hit>& hits() const { return m_hits; }
    QStringList pages() const { return m_files; } ///< File names, in the order of the list.
    QString page() const; ///< File name of the current page.
    QString selectedText() const;
    void search(const QString& text);
    /// Opens `page.md` or `page.md#heading`.
    void open(const QString& page);
    /// Opens the page of the hit with this index in hits(), with the found text selected.
    void openHit(std::size_t hit);

private:
    void showList();
    void markPage();
    void followLine(int line);

    QString m_folder;
    QStringList m_files;
    QStringList m_titles;
    QStringList m_texts; ///< Texts that search() goes through, by page; empty until the first search.
    std::vector<Hit> m_hits;
    GuideBrowser* m_pages;
    QListWidget* m_list;
    QLineEdit* m_field;
    QLabel* m_remark;
    QToolButton* m_back;
    QToolButton* m_forward;
};

} // namespace helio
