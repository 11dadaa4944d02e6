// Colours, completion and places of mistakes in the editor of the SQL dock.

#include "tests/support/test_program.h"
#include "widgets/sql/sql_completion_list.h"
#include "widgets/sql/sql_editor.h"
#include "widgets/sql/sql_language.h"

#include <QTest>

#include <algorithm>

using namespace helio;

namespace {

SqlNames madeNames()
{
    auto schema = std::make_shared<sql::Schema>();
    schema->tables = {{"sched", true, {{"ts", ""}, {"dur", ""}, {"utid", ""}, {"end_state", "TEXT"}}},
                      {"thread", false, {{"utid", "INTEGER"}, {"tid", "INTEGER"}, {"name", "TEXT"}}},
                      {"thread_state", false, {{"ts", "INTEGER"}, {"utid", "INTEGER"}, {"state", "TEXT"}, {"waker_utid", "INTEGER"}}}};
    schema->functions = {"count", "extract_arg", "sum"};
    return {schema};
}

/// Completes the query at the mark "|", and returns the names.
QStringList namesAt(QString query, SqlCompletions* all = nullptr)
{
    const auto position = int(query.indexOf(u'|'));
    query.remove(position, 1);
    const SqlCompletions found = completeSql(query, position, madeNames());
    QStringList names;
    for (const SqlCompletion& it : found.found)
        names << it.name;
    if (all)
        *all = found;
    return names;
}

QString tokensOf(const QString& line, bool isInComment = false)
{
    constexpr char Letters[] = "KTFSNC";
    QString marks(line.size(), u'.');
    for (const SqlRange& it : tokenizeSql(line, madeNames(), isInComment))
        for (int i = 0; i < it.length; ++i)
            marks[it.begin + i] = QLatin1Char(Letters[int(it.token)]);
    return marks;
}

} // namespace

class SqlLanguageTest : public QObject {
    Q_OBJECT

private slots:
    void tokens()
    {
        QCOMPARE(tokensOf("SELECT sum(dur) FROM sched -- x"), QString("KKKKKK.FFF......KKKK.TTTTT.CCCC"));
        QCOMPARE(tokensOf("where name = 'a b' and t.count > 1.5e3"), QString("KKKKK........SSSSS.KKK...........NNNNN"));
        QCOMPARE(tokensOf("1 /* a */ 2 /* b"), QString("N.CCCCCCC.N.CCCC"));
        bool isInComment = false;
        (void)tokenizeSql("/* open", madeNames(), isInComment);
        QVERIFY(isInComment);
        QCOMPARE(tokensOf("still */ from", true), QString("CCCCCCCC.KKKK"));
        QCOMPARE(tokensOf("'unclosed from"), QString("SSSSSSSSSSSSSS"));
        QCOMPARE(tokensOf(""), QString());
    }

    void aQualifiedNameOffersTheColumnsOfItsTable()
    {
        SqlCompletions found;
        QCOMPARE(namesAt("SELECT * FROM thread_state WHERE thread_state.w|", &found), QStringList{"waker_utid"});
        QVERIFY(found.isQualified);
        QCOMPARE(found.found[0].detail, QString("thread_state · INT"));
        QVERIFY(found.found[0].help.contains("wake-up"));
        QCOMPARE(namesAt("SELECT t.| FROM sched JOIN thread AS t USING (utid)"), (QStringList{"utid", "tid", "name"}));
        QCOMPARE(namesAt("SELECT t.ti| FROM sched, thread t"), (QStringList{"tid", "utid"})); // Names that begin so come first.
        QCOMPARE(namesAt("SELECT x.ti| FROM sched, thread t"), QStringList()); // No such table.
    }
    void columnsOfTheStatementsTablesComeFirst()
    {
        QCOMPARE(namesAt("SELECT ut| FROM sched JOIN thread USING (utid)").value(0), QString("utid"));
        QCOMPARE(namesAt("SELECT ut| FROM sched JOIN thread USING (utid)").count("utid"), 1); // Both tables have it.
        QCOMPARE(namesAt("SELECT na| FROM thread").value(0), QString("name"));
        QVERIFY(!namesAt("SELECT 1 FROM thread; SELECT na| FROM sched").contains("name")); // Another statement.
        SqlCompletions found;
        QCOMPARE(namesAt("SELECT du| FROM sched", &found).value(0), QString("dur"));
        QCOMPARE(found.found[0].detail, QString("sched")); // The view declares no type, and no other table has the column.
    }
    void tablesAreOfferedAfterFrom()
    {
        QCOMPARE(namesAt("SELECT * FROM th|"), (QStringList{"thread", "thread_state"}));
        QCOMPARE(namesAt("SELECT * FROM thread JOIN sch|"), QStringList{"sched"});
        QCOMPARE(namesAt("SELECT cou|").value(0), QString("count"));
        QVERIFY(namesAt("SELECT * FROM thread whe|").contains("WHERE"));
    }
    void nothingIsOfferedInTextsAndComments()
    {
        QCOMPARE(namesAt("SELECT 'th|"), QStringList());
        QCOMPARE(namesAt("SELECT 'th|read'"), QStringList());
        QCOMPARE(namesAt("-- th|"), QStringList());
        QCOMPARE(namesAt("/* th| */ SELECT"), QStringList());
        QCOMPARE(namesAt("SELECT 12|"), QStringList());
        QCOMPARE(namesAt("SELECT * FROM sched|"), QStringList()); // Written completely.
    }
    void hostileTextsAreCompleted()
    {
        for (const QString& text : {QString("."), QString("....|"), QString("'\"'\"|"), QString(20'000, u'('), QString(",,,from,,,|")})
            for (const int position : {0, int(text.size()) / 2, int(text.size())})
                (void)completeSql(text, position, madeNames());
        QCOMPARE(completeSql({}, 0, {}).found.empty(), false); // Keywords.
    }

    void rangesAtColumnsInBytes()
    {
        const QString query = QStringLiteral("SELECT 'ä',\n  nme FROM thread");
        QCOMPARE(sqlRangeAt(query, 2, 3), std::pair(14, 17));
        QCOMPARE(query.mid(14, 3), QString("nme"));
        QCOMPARE(sqlRangeAt(QStringLiteral("'ä' nme"), 1, 6), std::pair(4, 7)); // ä has two bytes.
        QCOMPARE(sqlRangeAt("a", 1, 2), std::pair(1, 1)); // At the end.
        QCOMPARE(sqlRangeAt("", 9, 9), std::pair(0, 0));
        QCOMPARE(sqlRangeAt("a )", 1, 3), std::pair(2, 3));
    }

    void theEditorOffersNamesFromTwoLetters()
    {
        QWidget window;
        SqlEditor editor(&window);
        window.resize(700, 400);
        editor.setGeometry(0, 0, 500, 150);
        editor.setNames(madeNames());
        window.show();
        window.activateWindow();
        editor.setFocus();
        QTRY_VERIFY(editor.hasFocus());
        QTest::keyClicks(&editor, "select w");
        QVERIFY(!editor.completions() || !editor.completions()->isVisible());
        QTest::keyClicks(&editor, "he");
        auto* const list = window.findChild<QFrame*>("completions");
        QVERIFY(list && list->isVisible());
        QTest::keyClick(&editor, Qt::Key_Tab);
        QCOMPARE(editor.toPlainText(), QString("select where")); // In lower case, as the user began.
        QVERIFY(!list->isVisible());
        QTest::keyClick(&editor, Qt::Key_Return); // No names: a new line.
        QTest::keyClicks(&editor, "  co");
        QVERIFY(list->isVisible());
        QTest::keyClick(&editor, Qt::Key_Escape);
        QVERIFY(!list->isVisible());
        QTest::keyClick(&editor, Qt::Key_Return);
        QCOMPARE(editor.toPlainText(), QString("select where\n  co\n  ")); // The new line is indented.
        QTest::keyClick(&editor, Qt::Key_Space, Qt::ControlModifier); // Asked for.
        QVERIFY(list->isVisible());
        QTest::keyClick(&editor, Qt::Key_Down);
        QTest::keyClick(&editor, Qt::Key_Enter);
        QVERIFY(!list->isVisible());
        QVERIFY(editor.toPlainText().size() > int(qstrlen("select where\n  co\n  ")));
    }
    void aMistakeIsForgottenWhenTheTextChanges()
    {
        SqlEditor editor;
        editor.setQuery("SELECT nme");
        editor.setMistake({7, 10});
        QVERIFY(editor.hasMistake());
        QCOMPARE(editor.extraSelections().size(), 2);
        QCOMPARE(editor.extraSelections().last().cursor.selectedText(), QString("nme"));
        editor.moveCursor(QTextCursor::End);
        editor.insertPlainText("x");
        QVERIFY(!editor.hasMistake());
    }
};

HELIO_TEST(SqlLanguageTest)
#include "tst_sql_language.moc"
