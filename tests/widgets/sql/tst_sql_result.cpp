// Results of the SQL dock: texts, exports, places, and the contents of panels.

#include "core/experiment/timeline.h"
#include "tests/support/test_program.h"
#include "widgets/sql/sql_panel_data.h"
#include "widgets/sql/sql_result_model.h"
#include "widgets/sql/sql_runner.h"

#include <QTest>

using namespace helio;
using Value = sql::Value;

namespace {

std::shared_ptr<SqlResult> madeResult(std::vector<std::string> columns, std::vector<Value> values)
{
    auto result = std::make_shared<SqlResult>();
    result->query = "SELECT";
    result->columns = std::move(columns);
    result->values = std::move(values);
    auto timeline = std::make_shared<Timeline>();
    timeline->range = {timestamp(0), timestamp(10'000)};
    result->timeline = timeline;
    return result;
}

Value integer(std::int64_t value) { return value; }
Value words(const char* value) { return std::string(value); }
Value null() { return {}; }

QString shownIn(const SqlResultModel& model, int row, int column) { return model.index(row, column).data().toString(); }

/// Intervals of a lane as "begin-end@depth name".
QStringList barsOf(const ResultPanelData& data, std::size_t lane)
{
    QStringList bars;
    for (const ResultInterval& it : data.lanes[lane].intervals)
        bars << QStringLiteral("%1-%2@%3 %4")
                    .arg(nanoseconds(it.range.begin))
                    .arg(nanoseconds(it.range.end))
                    .arg(it.depth)
                    .arg(data.names[int(it.name)]);
    return bars;
}

} // namespace

class SqlResultTest : public QObject {
    Q_OBJECT

private slots:
    void rolesOfColumns()
    {
        using enum SqlColumnRole;
        QCOMPARE(sqlColumnRole("ts"), Time);
        QCOMPARE(sqlColumnRole("TS"), Time);
        QCOMPARE(sqlColumnRole("start_ts"), Time);
        QCOMPARE(sqlColumnRole("min(ts)"), Time);
        QCOMPARE(sqlColumnRole("thread_ts"), Plain);
        QCOMPARE(sqlColumnRole("sum(ts)"), Plain);
        QCOMPARE(sqlColumnRole("dur"), Length);
        QCOMPARE(sqlColumnRole("sum(s.dur)"), Length);
        QCOMPARE(sqlColumnRole("total_dur"), Length);
        QCOMPARE(sqlColumnRole("sum(dur) / 1e6"), Plain);
        QCOMPARE(sqlColumnRole("utid"), Number);
        QCOMPARE(sqlColumnRole("waker_utid"), Number);
        QCOMPARE(sqlColumnRole("arg_set_id"), Number);
        QCOMPARE(sqlColumnRole("end_state"), State);
        QCOMPARE(sqlColumnRole("count(*)"), Plain);
        QCOMPARE(sqlColumnRole(""), Plain);
    }
    void valuesAreShownByTheirRole()
    {
        const TimeFormat format{TimeFormat::Mode::Utc, {}, true, {}};
        QCOMPARE(shownText(integer(12'345'678), SqlColumnRole::Length, format), durationText(Duration(12345678)));
        QCOMPARE(shownText(integer(-1), SqlColumnRole::Length, format), QString("\u2013"));
        QCOMPARE(shownText(integer(1234), SqlColumnRole::Number, format), QString("1234"));
        QCOMPARE(shownText(integer(1234), SqlColumnRole::Plain, format), countText(1234));
        QCOMPARE(shownText(null(), SqlColumnRole::Time, format), QString("NULL"));
        QCOMPARE(shownText(words("a\nb"), SqlColumnRole::Plain, format), QString("a b"));
        QCOMPARE(shownText(Value(0.1), SqlColumnRole::Plain, format), QString("0.1"));
        QCOMPARE(shownText(Value(1e300), SqlColumnRole::Length, format), QString("1e+300"));
        QCOMPARE(shownText(Value(std::string(1'000'000, 'x')), SqlColumnRole::Plain, format).size(), 500);
        QCOMPARE(shownText(words("\xff\xfe"), SqlColumnRole::Plain, format).size(), 2);
    }
    void exportsHaveRawValues()
    {
        const auto result = madeResult({"ts", "dur", "a,b", "x"},
                                       {integer(5), integer(-1), words("say \"hi\"\n"), null(), //
                                        integer(INT64_MIN), integer(INT64_MAX), words(""), Value(0.5)});
        QCOMPARE(sqlCsv(*result, {0, 1}),
                 QString("ts,dur,\"a,b\",x\n5,-1,\"say \"\"hi\"\"\n\",\n-9223372036854775808,9223372036854775807,,0.5\n"));
        QCOMPARE(sqlJson(*result, {1, 0}),
                 QByteArray("{\"ts\":-9223372036854775808,\"dur\":9223372036854775807,\"a,b\":\"\",\"x\":0.5}\n"
                            "{\"ts\":5,\"dur\":-1,\"a,b\":\"say \\\"hi\\\"\\u000a\",\"x\":null}\n"));
    }
    void sortingFollowsSqlite()
    {
        SqlResultModel model;
        model.setResult(madeResult({"v"}, {words("b"), integer(2), null(), Value(1.5), words("a"), integer(-3)}));
        model.sort(0, Qt::AscendingOrder);
        QStringList order;
        for (int row = 0; row < model.rowCount(); ++row)
            order << shownIn(model, row, 0);
        QCOMPARE(order, (QStringList{"NULL", QChar(0x2212) + QString("3"), "1.5", "2", "a", "b"}));
        model.sort(-1, Qt::AscendingOrder);
        QCOMPARE(shownIn(model, 0, 0), QString("b"));
    }
    void theFilterFindsTextsAndDigits()
    {
        SqlResultModel model;
        model.setResult(
            madeResult({"ts", "name"}, {integer(1'234'567), words("Writer-0"), integer(99), words("reader"), integer(1), null()}));
        model.setFilter("writer");
        QCOMPARE(model.rowCount(), 1);
        model.setFilter("234 5");
        QCOMPARE(model.listed(), std::vector<std::size_t>{0});
        model.setFilter("e"); // A part of numbers such as 1e9, but found in texts.
        QCOMPARE(model.rowCount(), 2);
        model.setFilter("nothing");
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.csv(), QString("ts,name\n"));
        model.setFilter("");
        QCOMPARE(model.rowCount(), 3);
    }
    void aSmallerResultReplacesAFilteredAndSortedOne()
    {
        SqlResultModel model;
        model.setResult(madeResult({"a", "b"}, {integer(3), words("x"), integer(1), words("x"), integer(2), words("x")}));
        model.setFilter("x");
        model.sort(1, Qt::DescendingOrder);
        model.setResult(madeResult({"c"}, {integer(9)}));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(shownIn(model, 0, 0), QString("9"));
        model.setResult({});
        QCOMPARE(model.rowCount(), 0);
        QCOMPARE(model.columnCount(), 0);
        QCOMPARE(model.csv(), QString());
    }
    void barsAreShares()
    {
        SqlResultModel model;
        model.setResult(
            madeResult({"dur", "utid", "name"},
                       {integer(50), integer(7), words("a"), integer(200), integer(9), words("b"), integer(-1), integer(1), null()}));
        QCOMPARE(model.shareOf(model.index(0, 0)), std::optional(0.25));
        QCOMPARE(model.shareOf(model.index(1, 0)), std::optional(1.0));
        QCOMPARE(model.shareOf(model.index(2, 0)), std::optional(0.0));
        QVERIFY(!model.shareOf(model.index(0, 1))); // An id is no amount.
        QVERIFY(!model.shareOf(model.index(0, 2)));
    }
    void statesHaveLooks()
    {
        SqlResultModel model;
        model.setResult(madeResult({"state"}, {words("D"), words("R+"), words("?"), null()}));
        QCOMPARE(model.stateOf(model.index(0, 0))->style.color, std::string("thread.blocked"));
        QCOMPARE(model.stateOf(model.index(1, 0))->style.color, std::string("thread.preempted"));
        QVERIFY(!model.stateOf(model.index(2, 0)));
        QVERIFY(!model.stateOf(model.index(3, 0)));
    }

    void placesOfRows()
    {
        const auto result = madeResult({"ts", "dur"},
                                       {integer(10), integer(5), integer(10), integer(-1), integer(10), null(), //
                                        null(), integer(5), integer(INT64_MIN), integer(-1), integer(0), integer(INT64_MAX)});
        QCOMPARE(placeOf(*result, 0)->range, (TimeRange{timestamp(10), timestamp(15)}));
        QCOMPARE(placeOf(*result, 1)->range, (TimeRange{timestamp(10), timestamp(10'000)}));
        QVERIFY(placeOf(*result, 1)->isOpen);
        QVERIFY(placeOf(*result, 2)->range.isEmpty());
        QVERIFY(!placeOf(*result, 3));
        QVERIFY(!placeOf(*result, 4)); // No time of any recording.
        QVERIFY(placeOf(*result, 5)->range.duration() > Duration(0));
        QVERIFY(!placeOf(*madeResult({"a"}, {integer(1)}), 0));
    }
    void panelsHaveARowForEachValue()
    {
        const auto result = madeResult({"ts", "dur", "name", "utid"},
                                       {integer(30), integer(5),  words("x"), integer(1), //
                                        integer(10), integer(10), words("y"), integer(2), integer(0), integer(20), words("x"), integer(1),
                                        integer(10), integer(2),  words("y"), integer(1), null(),     integer(1),  words("z"), integer(9)});
        QVERIFY(canBeBars(*result));
        QCOMPARE(defaultColumns(*result, false).partition, QString("name"));
        const auto byUtid = makePanelData(*result, {"utid", {}}, false);
        QCOMPARE(byUtid->lanes.size(), std::size_t(2));
        QCOMPARE(byUtid->lanes[0].name, QString("utid 1"));
        QCOMPARE(barsOf(*byUtid, 0), (QStringList{"0-20@0 x", "10-12@1 y", "30-35@0 x"}));
        QCOMPARE(byUtid->lanes[0].depths, 2U);
        QCOMPARE(byUtid->lanes[0].total, Duration(27));
        QCOMPARE(barsOf(*byUtid, 1), QStringList{"10-20@0 y"});
        QCOMPARE(byUtid->count, std::size_t(4));
        const auto one = makePanelData(*result, {}, false);
        QCOMPARE(one->lanes.size(), std::size_t(1));
        QCOMPARE(one->lanes[0].intervals.size(), std::size_t(4));
        QCOMPARE(one->lanes[0].intervals[0].line, 2U);
    }
    void tooManyRowsAreSaidToBeLeftOut()
    {
        std::vector<Value> values;
        for (int i = 0; i < 300; ++i)
            values.insert(values.end(), {integer(i), integer(i), integer(i)});
        auto result = madeResult({"ts", "dur", "id"}, std::move(values));
        result->isCut = true;
        const auto data = makePanelData(*result, {"id", {}}, false);
        QCOMPARE(data->lanes.size(), MostLanes);
        QCOMPARE(data->lanes[0].total, Duration(299)); // Rows with the most time are kept.
        QVERIFY(data->remark.contains("first 300 rows"));
        QVERIFY(data->remark.contains("200 of 300 values of id"));
    }
    void durationsOfCurvesHaveAUnit()
    {
        const auto result = madeResult({"ts", "dur"}, {integer(10), integer(5), integer(20), integer(-1)});
        const auto data = makePanelData(*result, defaultColumns(*result, true), true);
        QCOMPARE(data->unit, QString("ns"));
        QCOMPARE(data->lanes[0].points[0].value, std::optional(5.0));
        QVERIFY(!data->lanes[0].points[1].value); // The end is unknown.
        const auto plain = madeResult({"ts", "value"}, {integer(10), integer(-1)});
        const auto values = makePanelData(*plain, defaultColumns(*plain, true), true);
        QVERIFY(values->unit.isEmpty());
        QCOMPARE(values->lanes[0].points[0].value, std::optional(-1.0));
    }
    void curvesHoldTheirValues()
    {
        const auto result = madeResult({"ts", "value", "name"},
                                       {integer(20), integer(3), words("a"), integer(10), Value(1.5), words("a"), //
                                        integer(15), null(), words("a"), integer(10), integer(7), words("b")});
        QVERIFY(canBeCurves(*result));
        QVERIFY(!canBeBars(*result));
        const SqlPanelColumns columns = defaultColumns(*result, true);
        QCOMPARE(columns.value, QString("value"));
        QCOMPARE(columns.partition, QString("name"));
        const auto data = makePanelData(*result, columns, true);
        QCOMPARE(data->lanes.size(), std::size_t(2));
        QCOMPARE(data->lanes[0].points.size(), std::size_t(3));
        QCOMPARE(data->lanes[0].points[0].value, std::optional(1.5));
        QVERIFY(!data->lanes[0].points[1].value);
        QCOMPARE(data->lanes[0].points[2].at, timestamp(20));
        QVERIFY(!canBeCurves(*madeResult({"ts", "name"}, {integer(1), words("x")})));
        QVERIFY(!canBeCurves(*madeResult({"ts", "value"}, {})));
    }
    void extremeTimesDoNotOverflow()
    {
        std::vector<Value> values;
        for (int i = 0; i < 100; ++i)
            values.insert(values.end(), {integer(std::int64_t{1} << 62), integer(INT64_MAX)});
        const auto data = makePanelData(*madeResult({"ts", "dur"}, std::move(values)), {}, false);
        QCOMPARE(data->lanes[0].intervals.size(), std::size_t(100));
        QVERIFY(data->lanes[0].total > Duration(0));
        QCOMPARE(data->lanes[0].depths, MostLineDepths);
    }

    void failuresHaveTheirPlace()
    {
        const SqlFailure failure = readSqlFailure("line 3, column 12: no such column: nme");
        QCOMPARE(failure.line, 3);
        QCOMPARE(failure.column, 12);
        QCOMPARE(failure.message, QString("no such column: nme"));
        QCOMPARE(readSqlFailure("Not allowed").message, QString("Not allowed"));
        QCOMPARE(readSqlFailure("Not allowed").line, 0);
    }
    void titlesOfQueries()
    {
        QCOMPARE(sqlTitle("\n -- fsync waits \nSELECT 1"), QString("fsync waits"));
        QCOMPARE(sqlTitle("SELECT\n 1"), QString("SELECT"));
        QCOMPARE(sqlTitle(""), QString());
        QCOMPARE(sqlTitle(QString(500, u'x')).size(), 60);
    }
};

HELIO_TEST(SqlResultTest)
#include "tst_sql_result.moc"
