# SPDX-License-Identifier: GPL-2.0
#
# What prove prints for make check: a line for each test as it ends, its program's name in
# front; of a program that did not end well, why, and the end of what it wrote.
#
# The environment says where: TORUS_COUNTS is a file that gets a line for each program
# (name, tests that passed, failed, were skipped, seconds), TORUS_LOGS a directory for what
# each wrote; in its file "failed" are the names of tests that failed. Tests are numbered
# from TORUS_NUMBER on.
package Stream;

use strict;
use warnings;
use Time::HiRes 'time';

my $TAIL = $ENV{CHECK_LOG_LINES} || 60;

sub new {
	my ($class) = @_;

	$| = 1;
	return bless { number => $ENV{TORUS_NUMBER} || 0 }, $class;
}

sub verbosity { return 0 }
sub prepare   { }
sub summary   { }

sub open_test {
	my ($self, $name, $parser) = @_;

	$name =~ s{.*/}{};
	return Stream::Program->new($self, $name, $parser);
}

# say(ok|"not ok", TEXT): one test's line
sub say {
	my ($self, $verdict, $text) = @_;

	print "$verdict ", ++$self->{number}, " - $text\n";
}

package Stream::Program;

sub new {
	my ($class, $stream, $name, $parser) = @_;

	return bless {
		stream => $stream, name => $name, parser => $parser, log => [],
		ok => 0, 'not ok' => 0, skip => 0, began => Time::HiRes::time(),
	}, $class;
}

sub result {
	my ($self, $result) = @_;

	push @{ $self->{log} }, $result->raw;
	return unless $result->is_test;
	my $what = $result->description;
	$what =~ s/^- //;
	if ($result->has_skip) {
		$self->verdict('skip', $what);
	} else {
		$self->verdict($result->is_ok ? 'ok' : 'not ok', $what);
	}
}

sub verdict {
	my ($self, $verdict, $what) = @_;
	my $text = $self->{name} . ($what eq '' ? '' : ": $what");

	$self->{$verdict}++;
	$self->note_failed($text) if $verdict eq 'not ok';
	$self->{stream}->say($verdict eq 'not ok' ? $verdict : 'ok',
			     $verdict eq 'skip' ? "$text # SKIP" : $text);
}

# note_failed(TEXT): check_end() of check-lib.sh tells it once more
sub note_failed {
	my ($self, $text) = @_;

	return unless $ENV{TORUS_LOGS};
	open my $failed, '>>', "$ENV{TORUS_LOGS}/failed" or return;
	print $failed "$text\n";
	close $failed;
}

# Why the program did not end well, whatever its tests say
sub complaint {
	my ($self) = @_;
	my $parser = $self->{parser};
	my ($error) = $parser->parse_errors;

	return "$error (exit status " . $parser->exit . ")" if $error;
	return "exit status " . $parser->exit if $parser->exit && !$self->{'not ok'};
	return undef;
}

sub close_test {
	my ($self) = @_;
	my $complaint = $self->complaint;

	if (defined $complaint) {
		$self->verdict('not ok', $complaint);
	} elsif ($self->{parser}->skip_all) {
		$self->verdict('skip', $self->{parser}->skip_all);
	}
	$self->write_log;
	if ($self->{'not ok'}) {
		my @log = @{ $self->{log} };

		splice @log, 0, @log - $TAIL if @log > $TAIL;
		print "  | $_\n" for @log;
	}
	return unless $ENV{TORUS_COUNTS};
	open my $counts, '>>', $ENV{TORUS_COUNTS} or die "$ENV{TORUS_COUNTS}: $!";
	print $counts join(' ', $self->{name}, (map { $self->{$_} } 'ok', 'not ok', 'skip'),
			   sprintf('%.1f', Time::HiRes::time() - $self->{began})), "\n";
	close $counts or die "$ENV{TORUS_COUNTS}: $!";
}

sub write_log {
	my ($self) = @_;

	return unless $ENV{TORUS_LOGS};
	open my $log, '>', "$ENV{TORUS_LOGS}/$self->{name}.log" or return;
	print $log "$_\n" for @{ $self->{log} };
	close $log;
}

1;
